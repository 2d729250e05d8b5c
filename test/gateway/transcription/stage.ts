import { randomBytes } from "node:crypto";
import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { transcriptionModels } from "@manifold-gateway/providers";
import { samples } from "@manifold-gateway/simulator";
import OpenAI from "openai";
import { KEY } from "../../support/holder.ts";
import { type Stage, type StageOptions, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

export const PATH = "/api/chatstyle/v1/audio/transcriptions";
export const NATIVE = "/api/v1/audio/transcriptions";

/** A model that transcribes, with the limits of a known one, and the price of its seconds or tokens. */
function hearing(id: string, known: string, provider = "chatstyle"): Model {
  const { capabilities, tiers } = transcriptionModels[known]!;
  const entry = { provider, name: known, priority: 1, isActive: true, capabilities, price: tiers[0]!.price };
  return model(id, provider, {
    inputModalities: ["audio"],
    outputModalities: ["transcription"],
    entries: [entry],
  });
}

const listening = model("listen", "genstyle", { inputModalities: ["text", "audio"] });

export const models: Model[] = [
  hearing("seconds", "whisper-1"),
  hearing("tokens", "gpt-4o-transcribe"),
  hearing("speakers", "gpt-4o-transcribe-diarize"),
  hearing("plain", "groq/whisper-large-v3"),
  listening,
  // Hears nothing.
  model("deaf", "genstyle"),
];

export const startTranscription = (options: Partial<StageOptions> = {}): Promise<Stage> =>
  startStage({ media: {}, catalog: createCatalog(models), ...options });

export const client = ({ origin }: Stage): OpenAI =>
  new OpenAI({ apiKey: KEY, baseURL: `${origin}/api/chatstyle/v1`, maxRetries: 0 });

/** A recording of so many seconds, which no other has. */
export function speech(seconds = 3): Buffer {
  const bytes = samples.wav(seconds);
  randomBytes(16).copy(bytes, bytes.length - 16);
  return bytes;
}

/** A form with a recording, and the headers that it is sent with. */
export function form(
  fields: Record<string, string | string[]>,
  { bytes = speech(), name = "speech.wav", type = "audio/wav" } = {},
): FormData {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields))
    for (const one of [value].flat()) data.append(field, one);
  data.append("file", new File([new Uint8Array(bytes)], name, { type }));
  return data;
}

/** Sends a form to a route. */
export const send = (
  { origin }: Pick<Stage, "origin">,
  data: FormData | string | Uint8Array | ReadableStream,
  { path = PATH, ...init }: RequestInit & { path?: string } = {},
): Promise<Response> =>
  fetch(origin + path, {
    method: "POST",
    body: data as BodyInit,
    ...init,
    headers: { "x-api-key": KEY, ...init.headers },
    ...(data instanceof ReadableStream && { duplex: "half" }),
  } as RequestInit);
