import { type VideoModel, videoModel } from "../../media/video-models.ts";

const ASPECTS = ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9"];

/** Names here have dots where the vendors' own have dashes. */
export const routed = (name: string): VideoModel => videoModel(name.replace(/(\d)\.(\d)/g, "$1-$2"));

const spelled = (resolution: string): string => (resolution === "4k" ? "4K" : resolution);

/** The capabilities of a model, as this vendor lists them. */
export function capabilitiesOf(name: string) {
  const model = routed(name);
  const [least, most] = model.seconds;
  return {
    supported_resolutions: model.resolutions.map(spelled),
    supported_aspect_ratios: ASPECTS,
    supported_sizes: model.resolutions.flatMap((one) =>
      Object.values(model.sizes[one]!).map((size) => size.join("x")),
    ),
    supported_durations: Array.from({ length: most - least + 1 }, (_, index) => least + index),
    supported_frame_images: [...(model.first ? ["first_frame"] : []), ...(model.last ? ["last_frame"] : [])],
    generate_audio: model.audio,
    seed: true,
    allowed_passthrough_parameters: ["watermark", "req_key"],
  };
}

/** USD for a million tokens. */
const PRICES: [pattern: RegExp, price: number][] = [
  [/-2[.-]0-fast/, 4.2],
  [/-2[.-]0-mini/, 3.5],
  [/-1[.-]5/, 2.4],
  [/./, 7],
];

export const priceOf = (name: string): number => PRICES.find(([pattern]) => pattern.test(name))![1];
