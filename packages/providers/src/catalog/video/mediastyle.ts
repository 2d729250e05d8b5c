import type { FrameTable, MediaPrice, Tier } from "@manifold/core";
import { perMillion, type VideoModel } from "../model.ts";
import { frames } from "./frames.ts";
import {
  type Area,
  adaptive,
  audios,
  frame,
  images,
  isReference,
  never,
  no,
  oneOf,
  type Params,
  ratios,
  videos,
  whole,
  yes,
} from "./rules.ts";

const LARGEST_SEED = 2 ** 31 - 1;
const seed = whole(-1, LARGEST_SEED);
const LONGEST_INPUT = 15;

const price = (usd: number): MediaPrice => ({ output: perMillion(usd) });

/** USD for a million tokens without and with video going in. */
type Pair = readonly [plain: number, withVideo: number];

/** Prices by resolution; `""` is any other. */
export const byResolution = (table: Record<string, Pair>): Tier<MediaPrice>[] =>
  Object.entries(table).flatMap(([resolution, [plain, withVideo]]) => {
    const when: Tier<MediaPrice>["when"] = resolution === "" ? {} : { resolution };
    return [
      { when: { ...when, videoInput: true }, price: price(withVideo) },
      { when, price: price(plain) },
    ];
  });

const model = (
  label: string,
  table: FrameTable,
  longest: number,
  area: Area,
  tiers: VideoModel["tiers"],
  input: { longestInput?: number; floor?: number } = {},
): VideoModel => ({
  label,
  wire: "mediastyle",
  takes: (["image", "video", "audio"] as const).filter((kind) => area.inputs?.[kind]),
  capabilities: { strictParams: true, video: area },
  meter: { by: "tokens", frames: table, rate: 24, longest, ...input },
  tiers,
});

/** The area of a model that takes references of every kind. */
const references = (params: Params, counts: readonly [number, number, number], assets: boolean): Area => {
  const forms = assets ? (["url", "base64", "asset"] as const) : (["url", "base64"] as const);
  const [image, video, audio] = counts;
  return {
    params: { ratio: oneOf(adaptive, "adaptive"), generateAudio: yes, seed, watermark: no, ...params },
    unsupported: { cameraFixed: never, maxTokens: never },
    inputs: {
      image: images({ ...frame, referenceImage: image }, [...forms]),
      video: videos(video, [...forms]),
      audio: audios(audio, [...forms]),
    },
  };
};
const second = (resolutions: string[]): Area =>
  references({ duration: whole(4, 15, 5), resolution: oneOf(resolutions, "720p") }, [9, 3, 3], true);

/** Silent models: what they share. */
const silent = (resolutions: string[], fallback: string, more: Partial<Area>): Area => ({
  params: {
    duration: whole(2, 12, 5),
    resolution: oneOf(resolutions, fallback),
    ratio: oneOf(adaptive),
    seed,
    watermark: no,
    cameraFixed: { type: "bool" },
  },
  unsupported: { generateAudio: never, maxTokens: never },
  // Without an image there is nothing to adapt to.
  rules: [{ type: "requires", if: { field: "ratio", is: ["adaptive"] }, need: [{ input: "image" }] }],
  ...more,
});
const plain = ["url", "base64"] as const;
const small = ["480p", "720p"];
const upTo1080 = [...small, "1080p"];
const guided = { longestInput: LONGEST_INPUT, floor: 5 / 3 };

/** Video models of the media wire, by the provider's name for them. */
export const mediastyleVideos: Readonly<Record<string, VideoModel>> = {
  "dreamina-seedance-2-0-260128": model(
    "Seedance 2.0",
    frames.second,
    15,
    second([...upTo1080, "4k"]),
    byResolution({ "4k": [4, 2.4], "1080p": [7.7, 4.7], "": [7, 4.3] }),
    guided,
  ),
  "dreamina-seedance-2-0-fast-260128": model(
    "Seedance 2.0 Fast",
    frames.second,
    15,
    second(small),
    byResolution({ "": [5.6, 3.3] }),
    guided,
  ),
  "dreamina-seedance-2-0-mini-260615": model(
    "Seedance 2.0 Mini",
    frames.second,
    15,
    second(small),
    byResolution({ "": [3.5, 2.1] }),
    guided,
  ),
  "dreamina-seedance-2-5-260628": model(
    "Seedance 2.5",
    frames.third,
    30,
    {
      ...references({ duration: whole(4, 30, 5), resolution: oneOf(upTo1080, "720p") }, [30, 10, 10], false),
      // It takes the ratio of its first frame, and no word about it.
      rules: [
        {
          type: "excludes",
          if: { field: "ratio", is: ratios },
          not: [{ input: "image", roles: ["firstFrame"] }],
        },
      ],
    },
    byResolution({ "1080p": [11.7, 7], "": [10.7, 6.4] }),
    guided,
  ),
  "seedance-1-5-pro-251215": {
    ...model(
      "Seedance 1.5 Pro",
      frames.second,
      12,
      {
        params: {
          duration: whole(4, 12, 5),
          resolution: oneOf(upTo1080, "720p"),
          ratio: oneOf(adaptive, "adaptive"),
          generateAudio: yes,
          seed,
          watermark: no,
          cameraFixed: { type: "bool" },
        },
        unsupported: { maxTokens: never },
        inputs: { image: images(frame, [...plain]) },
      },
      [{ when: { generateAudio: true }, price: price(2.4) }, { price: price(1.2) }],
    ),
    retired: true,
  },
  "seedance-1-0-pro-250528": model(
    "Seedance 1.0 Pro",
    frames.first,
    12,
    silent(upTo1080, "1080p", { inputs: { image: images(frame, [...plain], false) } }),
    [{ price: price(2.5) }],
  ),
  "seedance-1-0-pro-fast-251015": model(
    "Seedance 1.0 Pro Fast",
    frames.first,
    12,
    silent(upTo1080, "1080p", { inputs: { image: images({ firstFrame: 1 }, [...plain], false) } }),
    [{ price: price(1) }],
  ),
  "seedance-1-0-lite-t2v-250428": model(
    "Seedance 1.0 Lite, from text",
    frames.first,
    12,
    silent(upTo1080, "720p", { inputs: {} }),
    [{ price: price(1.8) }],
  ),
  "seedance-1-0-lite-i2v-250428": model(
    "Seedance 1.0 Lite, from images",
    frames.first,
    12,
    silent(upTo1080, "720p", {
      inputs: { image: { ...images({ ...frame, referenceImage: 4 }, [...plain], false), min: 1 } },
      rules: [
        { type: "excludes", if: { field: "resolution", is: ["1080p"] }, not: [isReference] },
        { type: "excludes", if: { field: "cameraFixed" }, not: [isReference] },
      ],
    }),
    [{ price: price(1.8) }],
  ),
};
