import type {
  EmbeddingModelV4CallOptions,
  ImageModelV4CallOptions,
  JSONObject,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
  RerankingModelV4CallOptions,
  SpeechModelV4CallOptions,
  TranscriptionModelV4CallOptions,
} from "@ai-sdk/provider";
import type { Protocol } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { Extra } from "@manifold-gateway/core/ir";
import { toBase64 } from "../base64.ts";

/** The model interface as a protocol. Its seals and opaque parts are never sent to a provider under this name. */
export const protocol = "modelstyle" as Protocol;

/** The name of this provider in `providerOptions` and `providerMetadata`. */
export const NAMESPACE = "manifold";

/** A language model's call as JSON: the options, the model's name and whether a stream is requested. */
export type Wire = JsonObject;

/** What a call generates, as JSON; the model turns texts of dates and addresses into objects. */
export interface Body {
  content: LanguageModelV4Content[];
  finishReason: LanguageModelV4FinishReason;
  usage: LanguageModelV4Usage;
  response: { id?: string; modelId?: string; timestamp?: string };
}

type CallOptions =
  | LanguageModelV4CallOptions
  | EmbeddingModelV4CallOptions
  | ImageModelV4CallOptions
  | RerankingModelV4CallOptions
  | SpeechModelV4CallOptions
  | Omit<TranscriptionModelV4CallOptions, "audio">;

/** The options of a call as JSON: bytes become base64 and addresses text. */
export function toWire({ abortSignal: _, headers: __, ...options }: CallOptions): JsonObject {
  return toJson(options) as JsonObject;
}

function toJson(value: unknown): Json | undefined {
  if (value instanceof Uint8Array) return toBase64(value);
  if (value instanceof URL) return value.href;
  if (Array.isArray(value)) return value.map((item) => toJson(item) ?? null);
  if (typeof value !== "object" || value === null) return value as Json | undefined;
  const json: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const written = toJson(member);
    if (written !== undefined) json[name] = written;
  }
  return json;
}

/** What this provider wrote under its name into `providerMetadata`, which comes back as `providerOptions`. */
export interface Metadata {
  /** The signature or state of a thought or a call, for the vendor that made it. */
  seal?: { protocol: Protocol; value: string };
  /** A thought whose text the vendor withheld. */
  redacted?: boolean;
  /** A text in which the model declined. */
  refusal?: boolean;
  /** Members of the part that only one protocol has a word for, such as the id of an item. */
  extra?: Extra;
  /** A part of one protocol that others have no word for. */
  opaque?: { protocol: Protocol; value: Json };
}

/** Metadata of a part, absent if there is none. */
export function metadataOf(metadata: Metadata): {
  providerMetadata?: Record<string, JSONObject>;
} {
  const entries = Object.entries(metadata).filter(([, value]) => value !== undefined);
  return entries.length > 0
    ? { providerMetadata: { [NAMESPACE]: Object.fromEntries(entries) as JSONObject } }
    : {};
}
