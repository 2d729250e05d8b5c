import {
  countsOfVideo,
  estimateVideo,
  fitAsk,
  tierOf,
  type VideoAsk,
  videoFacts,
} from "@manifold-gateway/core/operations";
import { videoModels } from "@manifold-gateway/providers";
import { costOf } from "@manifold-gateway/store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askOf, text, video } from "./kit.ts";

const BASE = "dreamina-seedance-2-0-260128";

function estimate(name: string, ask: VideoAsk, inputSeconds?: number) {
  const model = videoModels[name];
  if (!model) throw new Error(name);
  const fitted = fitAsk(ask, "video", model.capabilities);
  const counts = estimateVideo(fitted, model.meter, inputSeconds === undefined ? {} : { inputSeconds });
  const price = tierOf(model.tiers, videoFacts(fitted)) ?? {};
  return { counts, usd: costOf(counts, price) / 1e6 };
}

const wide = (more: Partial<VideoAsk>): Partial<VideoAsk> => ({ ratio: "16:9", duration: 5, ...more });

describe("tokens of videos", () => {
  test.each<[string, Partial<VideoAsk>, number]>([
    [BASE, wide({ duration: 4, resolution: "480p" }), 40_594],
    [BASE, wide({ resolution: "480p" }), 50_638],
    [BASE, wide({ resolution: "720p" }), 108_900],
    [BASE, wide({ duration: 4, resolution: "1080p" }), 196_425],
    ["seedance-1-0-pro-250528", wide({ resolution: "1080p" }), Math.floor((1920 * 1088 * 121) / 1024)],
    ["dreamina-seedance-2-5-260628", wide({ resolution: "480p" }), Math.floor((854 * 480 * 121) / 1024)],
  ])("the tokens of %s %j are %i", (name, more, output) => {
    expect(estimate(name, askOf([text()], more)).counts.output).toBe(output);
  });

  test.each([
    [BASE, "480p", 428_544],
    [BASE, "720p", 927_408],
    [BASE, "1080p", 2_086_876],
    [BASE, "4k", 8_295_044],
    ["seedance-1-0-pro-250528", "480p", 414_720],
    ["seedance-1-0-pro-250528", "720p", 962_560],
    ["seedance-1-0-pro-250528", "1080p", 2_088_960],
  ])("the tokens of %s at %s without a ratio are those of the largest frame", (name, resolution, pixels) => {
    for (const more of [{}, { ratio: "adaptive" }])
      expect(estimate(name, askOf([text()], { resolution, duration: 4, ...more })).counts.output).toBe(
        Math.floor((pixels * 97) / 1024),
      );
  });

  test("the tokens are never fewer for a longer, larger or better informed request", () => {
    const second = fc.integer({ min: 4, max: 14 });
    fc.assert(
      fc.property(second, fc.integer({ min: 2, max: 15 }), (duration, input) => {
        const at = (more: Partial<VideoAsk>, known?: number, parts = [text(), video()]) =>
          estimate(BASE, askOf(parts, wide({ duration, resolution: "720p", ...more })), known).counts
            .output ?? 0;
        expect(at({ duration: duration + 1 }, input)).toBeGreaterThanOrEqual(at({}, input));
        expect(at({ resolution: "1080p" }, input)).toBeGreaterThan(at({}, input));
        expect(at({ ratio: "adaptive" }, input)).toBeGreaterThanOrEqual(at({}, input));
        expect(at({})).toBeGreaterThanOrEqual(at({}, input));
        expect(at({}, input)).toBeGreaterThan(at({}, undefined, [text()]));
      }),
    );
  });
});

describe("the vendor's examples", () => {
  const resolutions = ["480p", "720p", "1080p", "4k"];
  const examples: [what: string, input: number | undefined, usd: number[]][] = [
    ["no video", undefined, [0.35, 0.76, 1.87, 3.89]],
    ["2 s of video", 2, [0.39, 0.84, 2.06, 4.2]],
    ["4 s of video", 4, [0.39, 0.84, 2.06, 4.2]],
    ["15 s of video", 15, [0.86, 1.86, 4.57, 9.33]],
  ];
  const rows = examples.flatMap(([what, input, usd]) =>
    resolutions.map((resolution, i) => [what, resolution, input, usd[i] ?? 0] as const),
  );

  test.each(rows)("the vendor's example is met: %s at %s", (_, resolution, input, usd) => {
    const parts = input === undefined ? [text()] : [text(), video()];
    const got = estimate(BASE, askOf(parts, wide({ resolution })), input).usd;
    // The examples are rounded to cents and leave out the one frame more.
    expect(got).toBeGreaterThan(usd - 0.005);
    expect(got).toBeLessThan((usd + 0.005) * 1.01);
  });

  test("video of unknown length costs what the longest does", () => {
    const ask = askOf([text(), video()], wide({ resolution: "720p" }));
    expect(estimate(BASE, ask)).toEqual(estimate(BASE, ask, 15));
  });
});

describe("prices that depend on the request", () => {
  test.each<[string, Partial<VideoAsk>, number]>([
    ["seedance-1-5-pro-251215", {}, 2.4e6],
    ["seedance-1-5-pro-251215", { generateAudio: false }, 1.2e6],
    ["dreamina-seedance-2-0-mini-260615", {}, 3.5e6],
    ["bytedance/seedance-2.0", { resolution: "1080p" }, 7.7e6],
  ])("the price depends on the request: %s %j", (name, more, output) => {
    const model = videoModels[name];
    const facts = videoFacts(fitAsk(askOf([text()], more), "video", model?.capabilities));
    expect(tierOf(model?.tiers ?? [], facts)).toEqual({ output });
  });

  test("some videos are priced by the second", () => {
    expect(estimate("veo-3.1-generate-preview", askOf([text()]))).toEqual({
      counts: { seconds: 8 },
      usd: 3.2,
    });
    expect(estimate("veo-3.1-generate-preview", askOf([text()], { resolution: "4k" })).usd).toBe(4.8);
  });
});

test("the video is counted as it was reported", () => {
  expect(countsOfVideo({ urls: [] })).toEqual({ requests: 1 });
  expect(countsOfVideo({ urls: [], usage: { completionTokens: 0, durationSeconds: 0 } })).toEqual({
    requests: 1,
  });
  expect(countsOfVideo({ urls: [], usage: { completionTokens: 5, durationSeconds: 5.04 } })).toEqual({
    requests: 1,
    output: 5,
    seconds: 5.04,
  });
});
