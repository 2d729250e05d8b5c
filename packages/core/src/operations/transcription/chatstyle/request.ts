import { noTrace, type Trace } from "../../../codec/caller-codec.ts";
import { extraFor, extraOf } from "../../../ir/extra.ts";
import type { Lose } from "../../../ir/loss.ts";
import {
  compact,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../../json/json.ts";
import { FILE } from "../codec.ts";
import {
  type Recording,
  type TranscriptFormat,
  type TranscriptionRequest,
  transcriptFormats,
} from "../ir.ts";

export const protocol = "chatstyle";

/** The members of the wire by their canonical names, in the order in which they are sent. */
export const names = {
  language: "language",
  languages: "languages",
  prompt: "prompt",
  keywords: "keywords",
  responseFormat: "response_format",
  temperature: "temperature",
  timestampGranularities: "timestamp_granularities",
  include: "include",
  chunkingStrategy: "chunking_strategy",
  knownSpeakerNames: "known_speaker_names",
  knownSpeakerReferences: "known_speaker_references",
  stream: "stream",
} as const satisfies Partial<Record<keyof TranscriptionRequest, string>>;

const fields = new Set<string>(["model", "file", "task", ...Object.values(names)]);

const isFormat = (value: Json | undefined): value is TranscriptFormat =>
  transcriptFormats.includes(value as TranscriptFormat);
const isGranularity = (value: Json): value is "word" | "segment" => value === "word" || value === "segment";

/** The texts of a list; absent for anything else, and for a list of none. */
export function textsOf(value: Json | undefined): string[] | undefined {
  const texts = toArray(value).filter((item) => typeof item === "string");
  return texts.length > 0 ? texts : undefined;
}

/** The facts of a recording, as the program that received it puts them into the request. */
export function toRecording(value: Json | undefined): Recording {
  const { mediaType, name, bytes, seconds } = toObject(value);
  return compact<Recording>({
    mediaType: textOf(mediaType) ?? "application/octet-stream",
    name: textOf(name) ?? "audio",
    bytes: numberOf(bytes) ?? 0,
    ...(typeof seconds === "number" && { seconds }),
  });
}

export function decode(wire: JsonObject, trace: Trace = noTrace): TranscriptionRequest {
  const file = toRecording(wire.file);
  trace(file, "/file");
  const format = wire.response_format;
  const times = toArray(wire.timestamp_granularities).filter(isGranularity);
  const strategy = wire.chunking_strategy ?? undefined;
  const request = compact<{ [K in keyof TranscriptionRequest]: TranscriptionRequest[K] | undefined }>({
    model: toText(wire.model),
    file,
    ...(wire.task === "translate" && { task: "translate" as const }),
    responseFormat: isFormat(format) ? format : undefined,
    language: textOf(wire.language),
    languages: textsOf(wire.languages),
    prompt: textOf(wire.prompt),
    keywords: textsOf(wire.keywords),
    temperature: numberOf(wire.temperature),
    timestampGranularities: times.length > 0 ? times : undefined,
    knownSpeakerNames: textsOf(wire.known_speaker_names),
    knownSpeakerReferences: textsOf(wire.known_speaker_references),
    chunkingStrategy: strategy,
    include: textsOf(wire.include),
    stream: typeof wire.stream === "boolean" ? wire.stream : undefined,
    ...extraOf(protocol, wire, fields),
  });
  return request as TranscriptionRequest;
}

/** The fields of the form. Its endpoint says whether it is a translation. */
export function encode(request: TranscriptionRequest, lose: Lose): JsonObject {
  const named = Object.entries(names).flatMap(([name, field]): [string, Json][] => {
    const value = request[name as keyof typeof names];
    return value === undefined ? [] : [[field, value as Json]];
  });
  return {
    ...extraFor(protocol, request.extra, lose, ""),
    model: request.model,
    ...Object.fromEntries(named),
    file: FILE,
  };
}
