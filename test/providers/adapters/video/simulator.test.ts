import {
  checkVideo,
  countsOfVideo,
  estimateVideo,
  fitAsk,
  type PartSource,
  type VideoAsk,
  type VideoResult,
} from "@manifold-gateway/core/operations";
import { adapters, type Line, type Progress, videoModels, type Wire } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { askOf, image, text } from "../../../core/operations/video/kit.ts";
import { picture, useSimulator } from "../simulator.ts";

const lineTo = useSimulator();

const frame: PartSource = { type: "base64", mediaType: "image/png", data: picture };
const models = {
  mediastyle: "dreamina-seedance-2-0-260128",
  routerstyle: "bytedance/seedance-2.0",
  genstyle: "veo-3.1-generate-preview",
  predictstyle: "veo-3.1-generate-preview",
} as const;
const wires = Object.keys(models) as (keyof typeof models)[];

/** Polls until the work has ended; the simulator moves it on with every poll. */
async function end(wire: Wire, line: Line, id: string): Promise<Progress<VideoResult>[]> {
  const seen: Progress<VideoResult>[] = [];
  while (seen.length < 20) {
    const progress = await adapters.video[wire]!.poll!(line, id);
    seen.push(progress);
    if (progress.state !== "queued" && progress.state !== "running") break;
  }
  return seen;
}

/** An ask as the gateway would submit it, and the id of its work. */
async function begin(wire: keyof typeof models, ask: VideoAsk) {
  const line = lineTo(wire, models[wire]);
  const { capabilities } = videoModels[line.model] ?? {};
  expect(checkVideo(capabilities, ask)).toEqual([]);
  const fitted = fitAsk(ask, "video", capabilities);
  const submitted = await adapters.video[wire]!.submit(line, fitted);
  return { line, fitted, submitted, id: "id" in submitted ? submitted.id : "" };
}

describe.each(wires)("simulated videos on %s", (wire) => {
  test("a video is made from words, and can be fetched", async () => {
    const { line, id } = await begin(wire, askOf([text("[[outcome:queued=1,running=1]] a lighthouse")]));
    const seen = await end(wire, line, id);
    const last = seen.at(-1);
    expect(last?.state).toBe("succeeded");
    expect(seen.length).toBeGreaterThan(1);
    const content = adapters.video[wire]?.content;
    const opened = content
      ? await content(line, id, 0)
      : { response: await fetch((last as { result: VideoResult }).result.urls[0] ?? "") };
    if (!("response" in opened)) throw new Error(JSON.stringify(opened));
    const film = Buffer.from(await opened.response.arrayBuffer());
    expect(film.subarray(4, 8).toString()).toBe("ftyp");
  });

  test("a video takes a first frame", async () => {
    const { id } = await begin(wire, askOf([text(), image("firstFrame", frame)]));
    expect(id).not.toBe("");
  });

  test.each(["expire", "fail=moderation", "fail=internal", "lost=1"])(
    "a video ends by %s as reported",
    async (outcome) => {
      const { line, id } = await begin(wire, askOf([text(`[[outcome:${outcome}]] a lighthouse`)]));
      const kinds = {
        expire: "expired",
        "fail=moderation": "moderated",
        "fail=internal": "unavailable",
        "lost=1": "expired",
      };
      const last = (await end(wire, line, id)).at(-1);
      expect(last).toMatchObject({
        state: "failed",
        trouble: { kind: kinds[outcome as keyof typeof kinds] },
      });
    },
  );

  test("a video is in doubt after a cut submit, and only then", async () => {
    const fault = (how: string): VideoAsk => askOf([text(`[[fault:${how}]] a lighthouse`)]);
    await expect(begin(wire, fault("cut=3"))).rejects.toMatchObject({ kind: "reset" });
    await expect(begin(wire, fault("status=504"))).rejects.toMatchObject({ kind: "timeout" });
    expect((await begin(wire, fault("status=429,retry-after=2"))).submitted).toMatchObject({
      state: "failed",
      trouble: { kind: "unavailable", status: 429, retryAfter: 2000 },
    });
  });
});

test("what is held is never less than what is billed, and hardly more", async () => {
  for (const more of [
    {},
    { resolution: "480p" },
    { duration: 12, ratio: "9:16" },
    { resolution: "4k", ratio: "1:1" },
  ]) {
    const { line, fitted, id } = await begin("mediastyle", askOf([text()], more));
    const last = (await end("mediastyle", line, id)).at(-1) as { result: VideoResult };
    const meter = videoModels[line.model]?.meter;
    const held = meter && estimateVideo(fitted, meter).output;
    const billed = countsOfVideo(last.result).output ?? 0;
    expect(held).toBeGreaterThanOrEqual(billed);
    if (fitted.ratio !== "adaptive") expect(held).toBeLessThanOrEqual(billed * 1.01);
  }
});

test("a task that waits can be cancelled", async () => {
  const { line, id } = await begin("mediastyle", askOf([text("[[outcome:queued=9]] a lighthouse")]));
  await adapters.video.mediastyle?.cancel?.(line, id);
  expect((await end("mediastyle", line, id)).at(-1)).toMatchObject({ state: "cancelled" });
});
