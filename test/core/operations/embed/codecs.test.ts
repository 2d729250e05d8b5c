import { collectLosses, ignoreLosses } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { type EmbedRequest, embedCodecs, shortfall } from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EmbedInput } from "../../../../packages/core/src/operations/embed/ir.ts";
import { anyVectors, ask, bytes, chatstyle, float, genstyle, msgstyle, text } from "./arbitraries.ts";

describe("embedding requests", () => {
  const one = { content: { parts: [{ text: "a" }] } };
  test.each<[name: string, wire: JsonObject, request: EmbedRequest]>([
    [
      "argument spelling",
      { contents: one.content, config: { outputDimensionality: 4 } },
      ask([text("a")], { dimensions: 4 }),
    ],
    ["provider's spelling", { ...one, outputDimensionality: 4 }, ask([text("a")], { dimensions: 4 })],
    [
      "settings of the vendor's own endpoint",
      { ...one, embedContentConfig: { outputDimensionality: 4 } },
      ask([text("a")], { dimensions: 4 }),
    ],
    ["snake case", { ...one, config: { output_dimensionality: 4 } }, ask([text("a")], { dimensions: 4 })],
    [
      "a list of one",
      { requests: [{ ...one, model: "models/m", outputDimensionality: 4 }] },
      ask([text("a")], { batch: true, dimensions: 4 }),
    ],
    ["text alone", { contents: "a" }, ask([text("a")])],
    ["one turn", { contents: [{ role: "user", parts: [{ text: "a" }] }] }, ask([text("a")])],
    [
      "bytes in snake case",
      { content: { parts: [{ inline_data: { mime_type: "image/png", data: "AAAA" } }] } },
      ask([{ parts: [bytes("image", "image/png")] }]),
    ],
  ])("a generate-content request is read: %s", (_, wire, request) => {
    const named = "requests" in wire ? wire : { model: "m", ...wire };
    expect(genstyle.request.schema.safeParse(named).error).toBeUndefined();
    expect(genstyle.request.decode(named)).toEqual(request);
  });

  test.each<[name: string, input: Json, inputs: EmbedInput[], batch: boolean]>([
    ["a string", "a", [text("a")], false],
    ["a list of one", ["a"], [text("a")], true],
    ["token ids", [1, 2], [{ tokens: [1, 2] }], false],
    ["lists of token ids", [[1], [2, 3]], [{ tokens: [1] }, { tokens: [2, 3] }], true],
  ])("a chat request is read: %s", (_, input, inputs, batch) => {
    const wire = { model: "m", input, encoding_format: "base64", user: "u", dimensions: null };
    expect(chatstyle.request.schema.safeParse(wire).error).toBeUndefined();
    const request = { model: "m", inputs, ...(batch && { batch: true }), encoding: "base64", user: "u" };
    expect(chatstyle.request.decode(wire)).toEqual(request);
    expect(chatstyle.request.encode(chatstyle.request.decode(wire), ignoreLosses)).toEqual({
      model: "m",
      input,
      user: "u",
    });
  });

  test("messages and multimodal providers of the chat wire spell the normalized parts", () => {
    const content: Json[] = [
      { type: "text", text: "a" },
      { type: "imageUrl", url: "https://a.test/x.png" },
      { type: "imageBase64", data: "iVBORw0KGgoAAAAA" },
      { type: "audioBase64", data: "data:audio/wav;base64,AAAA" },
      { type: "videoBase64", data: "BBBB", mediaType: "video/quicktime" },
      { type: "fileBase64", data: "CCCC" },
    ];
    const wire: JsonObject = { model: "m", input: ["plain", { content }] };
    expect(msgstyle.request.schema.safeParse(wire).error).toBeUndefined();
    const sent = chatstyle.request.encode(msgstyle.request.decode(wire), ignoreLosses);
    expect(sent.input).toEqual([
      { content: [{ type: "text", text: "plain" }] },
      {
        content: [
          { type: "text", text: "a" },
          { type: "image_url", image_url: { url: "https://a.test/x.png" } },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgoAAAAA" } },
          { type: "input_audio", input_audio: { data: "data:audio/wav;base64,AAAA", format: "wav" } },
          { type: "input_video", input_video: { data: "data:video/quicktime;base64,BBBB", format: "mov" } },
          { type: "input_file", input_file: { data: "data:application/pdf;base64,CCCC", format: "pdf" } },
        ],
      },
    ]);
  });

  test("texts for one vector are joined where an item is one text, and that is reported", () => {
    const { losses, lose } = collectLosses();
    const wire: JsonObject = { contents: { parts: [{ text: "a", odd: 1 }, { text: "b" }] } };
    expect(chatstyle.request.encode(genstyle.request.decode(wire), lose).input).toBe("a\nb");
    expect(losses.map(({ path, why }) => [path, why])).toEqual([
      ["/inputs/0/parts/0/extra/odd", "unsupported"],
      ["/inputs/0/parts", "approximated"],
    ]);
  });

  test("each codec names the call that its body is for", () => {
    expect(chatstyle.endpoint?.(ask([text("a")]))).toBe("/embeddings");
    expect(genstyle.endpoint?.(ask([text("a")]))).toBe("/models/m:embedContent");
    expect(genstyle.endpoint?.(ask([text("a"), text("b")]))).toBe("/models/m:batchEmbedContents");
    expect(msgstyle.endpoint).toBeUndefined();
  });
});

describe("schemas of embedding requests", () => {
  const content = { parts: [{ text: "a" }] };
  test.each<[protocol: "chatstyle" | "msgstyle" | "genstyle", wire: JsonObject, path: string]>([
    ["chatstyle", { input: "a" }, "model"],
    ["chatstyle", { model: "m" }, "input"],
    ["chatstyle", { model: "m", input: { content: [] } }, "input"],
    ["chatstyle", { model: "m", input: "a", dimensions: 0 }, "dimensions"],
    ["chatstyle", { model: "m", input: "a", encoding_format: "hex" }, "encoding_format"],
    ["msgstyle", { model: "m", input: [1, 2] }, "input"],
    ["genstyle", {}, "contents"],
    ["genstyle", { content: {} }, "content"],
    ["genstyle", { contents: [content, content] }, "contents"],
    ["genstyle", { contents: content, config: { taskType: "RETRIEVAL_QUERY" } }, "config.taskType"],
    ["genstyle", { contents: content, config: { title: "t" } }, "config.title"],
    ["genstyle", { content, embedContentConfig: { title: "t" } }, "embedContentConfig.title"],
    ["genstyle", { content, task_type: "RETRIEVAL_QUERY" }, "task_type"],
    ["genstyle", { requests: [{ content, taskType: "X" }] }, "requests.0.taskType"],
    ["genstyle", { requests: [{ content }], config: { taskType: "X" } }, "config.taskType"],
    ["genstyle", { requests: [] }, "requests"],
    ["genstyle", { requests: [{}] }, "requests.0.content"],
    ["genstyle", { contents: content, config: { outputDimensionality: 1.5 } }, "outputDimensionality"],
    [
      "genstyle",
      { requests: [{ content, outputDimensionality: 4 }, { content }] },
      "requests.1.outputDimensionality",
    ],
    ["genstyle", { contents: { parts: [{ fileData: { fileUri: "f" } }] } }, "contents.parts.0"],
    ["genstyle", { contents: { parts: [{ file_data: { file_uri: "f" } }] } }, "contents.parts.0"],
    ["genstyle", { contents: { parts: [{ functionCall: {} }] } }, "contents.parts.0"],
    ["genstyle", { contents: { parts: [{ inlineData: { data: "AAAA" } }] } }, "contents.parts.0"],
  ])("the schema refuses a body and names the field: %s %j", (protocol, wire, path) => {
    const { error } = embedCodecs[protocol].request.schema.safeParse(wire);
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });

  test.each<JsonObject>([
    { type: "videoUrl", url: "https://a.test/v.mp4" },
    { type: "imageUrl", url: "file:///etc/passwd" },
    { type: "videoBase64", data: "AAAA" },
    { type: "imageBase64", data: "" },
  ])("the schema refuses a part of the messages wire: %j", (part) => {
    const wire = { model: "m", input: [{ content: [part] }] };
    expect(msgstyle.request.schema.safeParse(wire).success).toBe(false);
  });
});

describe("embedding replies", () => {
  test("vectors come back in the order of their indices, whatever the order on the wire", () => {
    fc.assert(
      fc.property(anyVectors, fc.infiniteStream(fc.nat()), (vectors, order) => {
        const items = vectors.map((embedding, index) => ({ at: order.next().value, index, embedding }));
        items.sort((a, b) => a.at - b.at);
        const data = items.map(({ index, embedding }) => ({ index, embedding }));
        expect(chatstyle.reply.decode({ data }).vectors).toEqual(vectors);
      }),
    );
  });

  test("base64 is little-endian 32-bit floats", () => {
    // 1.0 and -2.5 by hand: 0x3f800000 and 0xc0200000.
    const embedding = btoa(String.fromCharCode(0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0));
    expect(chatstyle.reply.decode({ data: [{ index: 0, embedding }] }).vectors).toEqual([[1, -2.5]]);
    const request = ask([text("a")], { encoding: "base64" });
    expect(chatstyle.reply.encode({ vectors: [[1, -2.5]] }, request)).toMatchObject({
      data: [{ embedding }],
    });
  });

  test.each<[Json]>([
    ["!"],
    ["AAA="],
    [btoa(String.fromCharCode(0, 0, 0xc0, 0x7f))],
    [[1, null]],
    [["1"]],
    [null],
    [{}],
  ])("the vector %j is unreadable, which is a failure and not an answer", (embedding) => {
    const reply = chatstyle.reply.decode({ data: [{ index: 0, embedding }] });
    expect(reply.vectors).toEqual([[]]);
    expect(shortfall(ask([text("a")]), reply)).toMatchObject({ kind: "unavailable", status: 502 });
  });

  test("a reply has a shortfall unless it has as many readable vectors as inputs", () => {
    fc.assert(
      fc.property(
        fc.nat(4),
        fc.array(fc.array(float, { maxLength: 2 }), { maxLength: 4 }),
        (count, vectors) => {
          const request = ask(Array.from({ length: count }, () => text("a")));
          const whole = vectors.length === count && vectors.every((vector) => vector.length > 0);
          expect(shortfall(request, { vectors }) === undefined).toBe(whole);
        },
      ),
    );
  });

  test("usage with its kinds of media is kept; a wire without usage gives none", () => {
    const usage = {
      prompt_tokens: 9,
      total_tokens: 9,
      prompt_tokens_details: { image_tokens: 4, audio_tokens: 2 },
    };
    const reply = chatstyle.reply.decode({ data: [{ embedding: [1] }], model: "up", usage });
    expect(reply).toEqual({ vectors: [[1]], model: "up", usage: { input: 9, imageInput: 4, audioInput: 2 } });
    expect(msgstyle.reply.encode(reply, ask([text("a")]))).toEqual({
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [1] }],
      model: "m",
      usage,
    });
    expect(genstyle.reply.decode({ embedding: { values: [1] } })).toEqual({ vectors: [[1]] });
  });

  test("a list of one is answered by a list on the wire that tells the two apart", () => {
    const vectors = [[1]];
    expect(genstyle.reply.encode({ vectors }, ask([text("a")]))).toEqual({ embedding: { values: [1] } });
    expect(genstyle.reply.encode({ vectors }, ask([text("a")], { batch: true }))).toEqual({
      embeddings: [{ values: [1] }],
    });
  });
});
