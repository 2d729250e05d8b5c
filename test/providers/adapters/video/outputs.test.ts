import { adapters, type Wire } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { json, pieces } from "../speech/line.ts";
import { type Answers, lineTo, sample, task } from "./harness.ts";

describe("cancelling a task", () => {
  const cancel = async (answers: Answers) => {
    const { line, got } = await lineTo("mediastyle", answers);
    await adapters.video.mediastyle!.cancel!(line, "t1");
    return got.map(({ method, path }) => [method, path]);
  };

  test("cancelling a task deletes it while it waits", async () => {
    expect(await cancel([json({ status: "queued" }), json({})])).toEqual([
      ["GET", `${task}/t1`],
      ["DELETE", `${task}/t1`],
    ]);
  });

  test.each(["running", "succeeded", "failed", "cancelled", "expired", "odd"])(
    "cancelling never deletes a task that is %s",
    async (status) => {
      expect(await cancel([json({ status })])).toEqual([["GET", `${task}/t1`]]);
    },
  );
});

describe("the bytes of a video", () => {
  const content = async (wire: Wire, answers: Answers, id = "id/1") => {
    const { line, got } = await lineTo(wire, answers);
    return { opened: await adapters.video[wire]!.content!(line, id, 1), got, line };
  };

  test("the bytes of a video are fetched from the router with its key", async () => {
    const { opened, got } = await content("routerstyle", [pieces(["film"], "video/mp4")]);
    expect(got[0]).toMatchObject({ path: "/api/v1/videos/id%2F1/content?index=1" });
    expect(got[0]?.headers.authorization).toBe("Bearer speech-key");
    expect("response" in opened && (await opened.response.text())).toBe("film");
  });

  test.each([
    [409, "unavailable"],
    [410, "expired"],
    [404, "misconfigured"],
    [502, "unavailable"],
  ])("the bytes of a video that are answered %i are a failure", async (status, kind) => {
    const { opened } = await content("routerstyle", [json({ error: { message: "x" } }, status)]);
    expect(opened).toMatchObject({ trouble: { kind, status } });
  });

  test("the key of a provider is never sent to another with a request for bytes", async () => {
    const samples = [sample, sample];
    const done = { done: true, response: { generateVideoResponse: { generatedSamples: samples } } };
    const { opened, got } = await content("genstyle", [json(done)], "operations/o");
    expect(opened).toMatchObject({ trouble: { kind: "expired" } });
    expect(got.map(({ path }) => path)).toEqual(["/v1beta/operations/o"]);
  });
});
