import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import {
  countsOfImage,
  countsOfSpeech,
  countsOfVideo,
  type ImageAsk,
  type ImageResult,
  type SpeechAsk,
  type SpeechResult,
  type VideoAsk,
  type VideoPart,
  type VideoResult,
} from "@manifold-gateway/core/operations";
import { type Adapter, adapters, type Wire } from "@manifold-gateway/providers";
import type { Counts, JobKind } from "@manifold-gateway/store";
import { archive, BadOutput, NotReady, type Output, type OutputSource, toAsset } from "./archive.ts";
import { identity } from "./identity.ts";
import { materialize } from "./inputs.ts";
import type { LeasedJob } from "./leased-job.ts";
import { type Operation, providerOf, type StoredResult } from "./operation.ts";

/** The result of a job with files. */
function toMade(
  held: LeasedJob,
  outputs: Output[],
  facts: object,
  measured: Pick<StoredResult, "counts" | "usage">,
  seconds?: number,
) {
  const at = held.deps.clock.now();
  return {
    result: { outputs, made: compact({ ...facts } as JsonObject) } as unknown as JsonObject,
    assets: outputs.map((output) => toAsset(held, output, at, seconds)),
    ...measured,
  };
}

/** A picture. With `stored`, its bytes are where the job stores them. */
type Picture = ImageResult["images"][number] & { stored?: true };

function sourceOf({ b64, url = "", stored }: Picture): OutputSource {
  if (stored) return { type: "stored" };
  return b64 === undefined ? { type: "url", url } : { type: "bytes", bytes: Buffer.from(b64, "base64") };
}

const image: Operation<ImageAsk, ImageResult> = {
  provider: (held) => providerOf(held, "image", adapters.image),
  async makeAccessible(held, ask, inline) {
    const images = await Promise.all(ask.images.map((one) => materialize(held, one, inline)));
    return { ask: { ...ask, images } };
  },
  withoutBytes: (result) => ({
    ...result,
    images: result.images.map(({ b64, ...rest }) => (b64 === undefined ? rest : { ...rest, stored: true })),
  }),
  async keep(held, _, result) {
    const images: Picture[] = result.images.slice(0, held.deps.limits.outputs);
    if (images.length === 0) throw new BadOutput("The provider generated no image.");
    const outputs: Output[] = [];
    for (const [index, picture] of images.entries())
      outputs.push(await archive(held, sourceOf(picture), index));
    // Only the outputs that arrived are charged.
    const usage = { ...result.usage, generatedImages: Math.min(result.usage.generatedImages, images.length) };
    const made = { ...result, usage, images: images.map(({ b64: _, stored: _s, ...rest }) => rest) };
    const counts = { ...countsOfImage({ ...result, usage }), requests: 1 };
    return toMade(held, outputs, made, { counts, usage: compact({ ...usage } as JsonObject) });
  },
};

/** The duration of a video: reported by the provider, else requested. */
function secondsOf(
  { job }: LeasedJob,
  ask: VideoAsk | undefined,
  { usage }: VideoResult,
): number | undefined {
  const requested = ask?.duration ?? (job.estimate as Counts | undefined)?.seconds;
  return usage?.durationSeconds ?? (requested !== undefined && requested > 0 ? requested : undefined);
}

const video: Operation<VideoAsk, VideoResult> = {
  provider: (held) => providerOf(held, "video", adapters.video),
  async makeAccessible(held, ask, inline) {
    const one = (part: VideoPart) => (part.type === "text" ? part : materialize(held, part, inline));
    return { ask: { ...ask, parts: await Promise.all(ask.parts.map(one)) } };
  },
  withoutBytes: (result) => result,
  async keep(held, ask, result, line) {
    const open = video.provider(held)?.adapter.content;
    const outputs: Output[] = [];
    const urls = result.urls.length > 0 ? result.urls : [""];
    for (const [index, url] of urls.slice(0, held.deps.limits.outputs).entries()) {
      if (!open && url === "") throw new BadOutput("The provider generated no video.");
      const opened = await open?.(line, held.job.upstreamId ?? "", index);
      if (opened && "trouble" in opened) {
        const { kind, message } = opened.trouble;
        throw kind === "unavailable" ? new NotReady(message) : new BadOutput(message);
      }
      const chunks = opened && "response" in opened ? opened.response.body : undefined;
      const address = opened && "url" in opened ? opened.url : url;
      const source: OutputSource = chunks ? { type: "stream", chunks } : { type: "url", url: address };
      outputs.push(await archive(held, source, index));
    }
    const { completionTokens, totalTokens } = result.usage ?? {};
    const usage = compact({ completionTokens, totalTokens } as JsonObject);
    const durationSeconds = secondsOf(held, ask, result);
    const made = durationSeconds ? { ...result, usage: { ...result.usage, durationSeconds } } : result;
    // The charge uses the provider's counts, or the estimate if it reported none.
    return toMade(held, outputs, made, { counts: countsOfVideo(result), usage }, durationSeconds);
  },
};

const readings: Partial<Record<Wire, Adapter<SpeechAsk, SpeechResult>>> = adapters.speech;

/** Generated speech, whose bytes another worker may have received. */
type Spoken = Omit<SpeechResult, "audio"> & { audio: OutputSource };

const speech: Operation<SpeechAsk, Spoken> = {
  provider: (held) => providerOf(held, "speech", readings),
  makeAccessible: async (_, ask) => ({ ask }),
  withoutBytes: ({ audio, ...made }) => ({
    ...made,
    audio: audio.type === "url" ? audio : { type: "stored" },
  }),
  async keep(held, ask, { audio, ...made }) {
    const output = await archive(held, audio, 0, made.mediaType);
    const counts: Counts & { estimated?: true } = ask ? countsOfSpeech(ask, made) : {};
    const reported = counts.estimated ? {} : counts;
    return toMade(held, [output], made, { counts: { ...reported, requests: 1 }, usage: {} }, made.seconds);
  },
};

/** The operations by kind of job. Each has request and result types of its own. */
export const operations = { image, video, speech, asset: identity } as unknown as Record<
  JobKind,
  Operation<object, object>
>;
