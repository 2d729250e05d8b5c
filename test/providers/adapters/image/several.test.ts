import type { ImagePreview } from "@manifold-gateway/core/operations";
import { adapters } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { cut, json, pieces } from "../speech/line.ts";
import { type Answers, error, lineTo, submit } from "./harness.ts";
import { askOf } from "./kit.ts";

describe("several pictures of a wire without a count", () => {
  const picture = json({
    candidates: [{ content: { parts: [{ inlineData: { data: "AAAA", mimeType: "image/png" } }] } }],
  });
  const refusal = json(error(400, "no", { status: "INVALID_ARGUMENT" }), 400);

  test("several pictures are as many calls, of which one success is enough and counts alone", async () => {
    const { end, got } = await submit("genstyle", [refusal, picture, refusal], askOf({ numberOfImages: 3 }));
    expect(got).toHaveLength(3);
    expect(end).toMatchObject({
      state: "succeeded",
      result: { images: [{ b64: "AAAA" }], usage: { generatedImages: 1 }, missing: ["no", "no"] },
    });
  });

  test("several pictures that all fail, fail as the first did", async () => {
    const { end } = await submit("genstyle", [refusal], askOf({ numberOfImages: 2 }));
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused", message: "no" } });
  });

  test("several pictures are in doubt where one call was lost and no picture came", async () => {
    const { line } = await lineTo("genstyle", [refusal, cut("{", "application/json")]);
    await expect(adapters.image.genstyle!.submit(line, askOf({ numberOfImages: 2 }))).rejects.toMatchObject({
      kind: "reset",
    });
  });

  test.each(["3000x500", "100x100"])(
    "a size of %s that the provider has nothing near is refused",
    async (size) => {
      const { end, got } = await submit("genstyle", [picture], askOf({ size }));
      expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused", message: /^size: / } });
      expect(got).toEqual([]);
    },
  );
});

describe("a model that has one form of pictures, and refuses the request for one", () => {
  const answer = json({ data: [{ b64_json: "AAAA" }] });
  const unknown = "Unknown parameter: 'response_format'.";
  const ask = askOf({ responseFormat: "b64_json" });

  test.each<[string, Answers[number]]>([
    ["by its name", json(error("unknown_parameter", unknown, { param: "response_format" }), 400)],
    ["through a proxy", json(error(null, `Upstream: ${unknown}`), 400)],
  ])("is sent the rest: %s", async (_, refusal) => {
    const { end, got } = await submit("chatstyle", [refusal, answer], ask);
    expect(got.map(({ body }) => "response_format" in (body as object))).toEqual([true, false]);
    expect(end).toMatchObject({ state: "succeeded", result: { images: [{ b64: "AAAA" }] } });
  });

  test("is sent no more where another member is refused", async () => {
    const refusal = json(error("unknown_parameter", "Unknown parameter: 'style'.", { param: "style" }), 400);
    const { end, got } = await submit("chatstyle", [refusal, answer], ask);
    expect(got).toHaveLength(1);
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused" } });
  });
});

describe("a stream of pictures", () => {
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const partial = event("image_generation.partial_image", {
    b64_json: "AA",
    partial_image_index: 0,
    size: "64x64",
  });
  const completed = event("image_generation.completed", {
    b64_json: "AAAA",
    output_format: "png",
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  });
  const previews: ImagePreview[] = [];
  const stream = async (answer: Answers[number]) => {
    previews.length = 0;
    const { line, got } = await lineTo("chatstyle", [answer]);
    const submitted = adapters.image.chatstyle!.submit(line, askOf(), (preview) => previews.push(preview));
    return { end: await submitted, got };
  };

  test.each(["", "data: [DONE]\n\n"])(
    "a stream of pictures shows previews as they come, and ends with the picture%s",
    async (done) => {
      const { end, got } = await stream(
        pieces([partial.slice(0, 30), partial.slice(30), completed, done], "text/event-stream"),
      );
      expect(got[0]?.body).toMatchObject({ stream: true });
      expect(previews).toEqual([{ b64: "AA", index: 0, size: "64x64" }]);
      expect(end).toMatchObject({
        state: "succeeded",
        result: { images: [{ b64: "AAAA" }], usage: { generatedImages: 1, outputTokens: 2 } },
      });
    },
  );

  test("an answer to a stream request may be a whole body", async () => {
    expect((await stream(json({ data: [{ b64_json: "AAAA" }] }))).end).toMatchObject({ state: "succeeded" });
    expect((await stream(json(error(null, "no"), 400))).end).toMatchObject({
      state: "failed",
      trouble: { message: "no" },
    });
  });

  test("a stream of pictures that fails says why; one that ends early is in doubt", async () => {
    const failure = `event: error\ndata: ${JSON.stringify({ type: "error", error: { code: "moderation_blocked", message: "no" } })}\n\n`;
    expect((await stream(pieces([partial, failure], "text/event-stream"))).end).toMatchObject({
      state: "failed",
      trouble: {
        kind: "moderated",
        message: "no",
        status: 400,
        body: { error: { code: "moderation_blocked", message: "no" } },
      },
    });
    await expect(stream(pieces([partial], "text/event-stream"))).rejects.toMatchObject({ kind: "reset" });
    await expect(stream(cut(partial, "text/event-stream"))).rejects.toMatchObject({ kind: "reset" });
  });
});
