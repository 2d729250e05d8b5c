import { randomUUID } from "node:crypto";
import {
  estimateImage,
  estimateSpeech,
  estimateVideo,
  type ImageAsk,
  type SpeechAsk,
  type VideoAsk,
} from "@manifold-gateway/core/operations";
import { imageModels, type Service, videoModels, type Wire } from "@manifold-gateway/providers";
import type { Counts, JobEntry, Price } from "@manifold-gateway/store";
import type { Order } from "../../../packages/gateway/src/ports/jobs.ts";
import { reading, reference } from "../../core/operations/speech/kit.ts";

export const newId = (): string => randomUUID().replaceAll("-", "");

const bearer = { header: "authorization", scheme: "Bearer" };
const places: { readonly [wire in Wire]?: Pick<Service, "base" | "auth"> } = {
  chatstyle: { base: "/v1", auth: bearer },
  mediastyle: { base: "/api/v3", auth: bearer },
  routerstyle: { base: "/api/v1", auth: bearer },
  genstyle: { base: "/v1beta", auth: { header: "x-goog-api-key" } },
  speechstyle: { base: "/api/v3", auth: { header: "x-api-key" } },
};

/** Where the simulator serves an entry. */
export const serviceAt = (origin: string, { wire }: JobEntry): Service => ({
  wire: wire as Wire,
  origin,
  key: "key",
  base: "",
  auth: bearer,
  ...places[wire as Wire],
});

/** Where the simulator keeps assets. */
export const libraryAt = (origin: string): Service => ({
  wire: "mediastyle",
  origin,
  base: "",
  auth: bearer,
  signing: { accessKey: "AK", secretKey: "AK-secret", region: "sim-1", service: "ark" },
});

type Body = { entry: JobEntry; price: Price; estimate: Counts } & (
  | { kind: "image"; ask: ImageAsk }
  | { kind: "video"; ask: VideoAsk }
  | { kind: "speech"; ask: SpeechAsk }
);

function image(wire: Wire, name: string, prompt: string, more: Partial<ImageAsk> = {}): Body {
  const ask: ImageAsk = { model: "m", prompt, images: [], ...more };
  const { meter, tiers } = imageModels[name]!;
  const price = (tiers[0]?.price ?? { images: 1_000_000_000 }) as Price;
  return {
    kind: "image",
    ask,
    entry: { provider: "sim", name, wire },
    price,
    estimate: estimateImage(ask, meter),
  };
}

function video(wire: Wire, name: string, prompt: string, more: Partial<VideoAsk> = {}): Body {
  const parts: VideoAsk["parts"] = [{ type: "text", text: prompt, at: "/content/0" }];
  const ask: VideoAsk = { model: "m", parts, duration: 5, resolution: "720p", ratio: "16:9", ...more };
  const { meter, tiers } = videoModels[name]!;
  const price = tiers.at(-1)!.price as Price;
  return {
    kind: "video",
    ask,
    entry: { provider: "sim", name, wire },
    price,
    estimate: estimateVideo(ask, meter),
  };
}

function speech(ask: SpeechAsk, name: string, price: Price): Body {
  const entry = { provider: "sim", name, wire: "speechstyle" };
  return { kind: "speech", ask, entry, price, estimate: estimateSpeech(ask) };
}

/** One order of every kind and wire, by name; the prompt may steer the simulator. */
export const bodies = {
  "image by address": (prompt: string) =>
    image("mediastyle", "seedream-4-5-251128", prompt, { size: "2048x2048" }),
  "image inline": (prompt: string) => image("chatstyle", "gpt-image-1-mini", prompt, { size: "1024x1024" }),
  "video task": (prompt: string) => video("mediastyle", "dreamina-seedance-2-0-260128", prompt),
  "video behind a router": (prompt: string) => video("routerstyle", "bytedance/seedance-2.0", prompt),
  "video operation": (prompt: string) =>
    video("genstyle", "veo-3.1-generate-preview", prompt, { duration: 8 }),
  reading: (prompt: string) => speech(reading({ text: prompt }), "seed-tts-2.0", { characters: 15_000_000 }),
  "generation with reference": (prompt: string) =>
    speech(reference({ textPrompt: prompt }), "seed-audio-1.0-multilingual", { seconds: 2_000_000_000 }),
} satisfies Record<string, (prompt: string) => Body>;
export type BodyName = keyof typeof bodies;
export const bodyNames = Object.keys(bodies) as BodyName[];

/** Wires whose answer to the submission is the end of it. */
export const atOnce: ReadonlySet<BodyName> = new Set([
  "image by address",
  "image inline",
  "reading",
  "generation with reference",
]);

export const orderOf = (
  name: BodyName,
  caller: { accountId: string; keyId?: string },
  prompt = "A turtle.",
  more: Partial<Order> = {},
): Order => ({
  id: newId(),
  caller,
  model: "m",
  request: { model: "m" },
  ...bodies[name](prompt),
  ...(more as object),
});
