import { defineFailures } from "../../../family/decode-failure.ts";
import { extraFor, extraOf } from "../../../ir/extra.ts";
import type { Failure } from "../../../ir/failure.ts";
import { ignoreLosses } from "../../../ir/loss.ts";
import { toCount } from "../../../ir/usage.ts";
import {
  compact,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../../json/json.ts";
import { segmentsOf, toSrt, toVtt } from "../cues.ts";
import type {
  TranscriptionReply,
  TranscriptionRequest,
  TranscriptionUsage,
  TranscriptSegment,
  TranscriptWord,
} from "../ir.ts";
import { protocol } from "./request.ts";

export const { readInBand } = defineFailures(protocol);

/** A length that can be billed: from 0 to a month. */
const toSeconds = (value: Json | undefined): number | undefined => {
  // Some servers write numbers of seconds as texts.
  const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : numberOf(value);
  return seconds !== undefined && seconds >= 0 && seconds <= 2_678_400 ? seconds : undefined;
};

/** The usage; undefined where a figure of tokens is malformed, because one read as 0 would not be charged. */
export function readUsage(value: Json | undefined): TranscriptionUsage | undefined {
  if (!isObject(value)) return undefined;
  const seconds = toSeconds(value.seconds ?? value.prompt_audio_seconds ?? undefined);
  const input = value.input_tokens ?? value.prompt_tokens;
  const output = value.output_tokens ?? value.completion_tokens;
  const details = toObject(value.input_token_details ?? value.prompt_tokens_details);
  const figures = [input, output, details.audio_tokens].map((figure) => figure ?? undefined);
  const counts = figures.map((figure) => (figure === undefined ? 0 : toCount(figure)));
  if (counts.includes(undefined)) return seconds === undefined ? undefined : { seconds };
  const usage = compact<TranscriptionUsage>({
    ...(seconds !== undefined && { seconds }),
    ...(figures[0] !== undefined && { input: counts[0] as number }),
    ...(figures[2] !== undefined && { audioInput: counts[2] as number }),
    ...(figures[1] !== undefined && { output: counts[1] as number }),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function writeUsage({ seconds, input, audioInput, output = 0 }: TranscriptionUsage): JsonObject {
  if (input === undefined) return { type: "duration", seconds: Math.ceil(seconds ?? 0) };
  return {
    type: "tokens",
    input_tokens: input,
    ...(audioInput !== undefined && {
      input_token_details: { audio_tokens: audioInput, text_tokens: Math.max(0, input - audioInput) },
    }),
    output_tokens: output,
    total_tokens: input + output,
  };
}

const wordFields = new Set(["word", "start", "end", "speaker"]);
const segmentFields = new Set(["id", "text", "start", "end", "speaker", "speaker_id", "type"]);

const toWord = (value: Json): TranscriptWord => {
  const word = toObject(value);
  const speaker = textOf(word.speaker);
  return {
    text: toText(word.word),
    start: toSeconds(word.start) ?? 0,
    end: toSeconds(word.end) ?? 0,
    ...(speaker !== undefined && { speaker }),
    ...extraOf(protocol, word, wordFields),
  };
};

export const toSegment = (value: Json): TranscriptSegment => {
  const { id, text, start, end, ...segment } = toObject(value);
  const speaker = textOf(segment.speaker) ?? textOf(segment.speaker_id);
  return compact<TranscriptSegment>({
    ...(typeof id === "string" || typeof id === "number" ? { id: String(id) } : {}),
    text: toText(text),
    start: toSeconds(start) ?? 0,
    end: toSeconds(end) ?? 0,
    ...(speaker !== undefined && { speaker }),
    ...extraOf(protocol, segment, segmentFields),
  });
};

/** Figures of a segment that the clients of the wire expect, for a model that does not report them. */
const unknownFigures = {
  seek: 0,
  tokens: [],
  temperature: 0,
  avg_logprob: 0,
  compression_ratio: 0,
  no_speech_prob: 0,
};

const extraFields = (extra: TranscriptWord["extra"]): JsonObject =>
  extraFor(protocol, extra, ignoreLosses, "");

const verboseSegment = (
  { id, text, start, end, speaker, extra }: TranscriptSegment,
  at: number,
): JsonObject => {
  const number = Number(id ?? at);
  const figures = extraFields(extra);
  return {
    id: Number.isInteger(number) ? number : at,
    ...unknownFigures,
    ...figures,
    start,
    end,
    text,
    ...(speaker !== undefined && { speaker }),
  };
};

export const spokenSegment = (
  { id, text, start, end, speaker, extra }: TranscriptSegment,
  at: number,
): JsonObject => ({
  type: "transcript.text.segment",
  id: id ?? `seg_${at}`,
  start,
  end,
  text,
  speaker: speaker ?? "A",
  ...extraFields(extra),
});

const writeWord = ({ text, start, end, speaker, extra }: TranscriptWord): JsonObject => ({
  word: text,
  start,
  end,
  ...(speaker !== undefined && { speaker }),
  ...extraFields(extra),
});

/** The passages of a reply: its own, or those that its words make. */
export const passagesOf = ({ segments, words }: TranscriptionReply): TranscriptSegment[] | undefined =>
  segments ?? (words && segmentsOf(words));

const replyFields = new Set([
  "text",
  "language",
  "languages",
  "duration",
  "segments",
  "words",
  "usage",
  "task",
]);

const UNREADABLE: Failure = {
  kind: "server",
  status: 502,
  message: "The provider returned no readable transcript.",
};

/**
 * Reads a body; text alone is the transcript, as most servers send it where a text was requested. Some servers report a
 * failure with status 200: without a transcript of any kind, the body is one.
 */
export function decode(body: Json): TranscriptionReply {
  if (typeof body === "string") return { text: body };
  const reply = toObject(body);
  if (typeof reply.text === "string" || Array.isArray(reply.segments) || Array.isArray(reply.words))
    return decodeFields(reply);
  const usage = readUsage(reply.usage);
  const isError = Boolean(reply.error ?? reply.detail ?? reply.message);
  return {
    text: "",
    failure: isError ? readInBand(body) : UNREADABLE,
    ...(usage && { usage }),
  };
}

/** Reads the members of a whole body, or those at the end of a stream, whose text may have come before. */
export function decodeFields(reply: JsonObject): TranscriptionReply {
  const lists = {
    ...(Array.isArray(reply.segments) && { segments: reply.segments.map(toSegment) }),
    ...(Array.isArray(reply.words) && { words: reply.words.map(toWord) }),
  };
  const languages = toArray(reply.languages).flatMap((one) => textOf(toObject(one).code) ?? []);
  return compact<{ [K in keyof TranscriptionReply]: TranscriptionReply[K] | undefined }>({
    text: toText(reply.text),
    language: textOf(reply.language),
    languages: Array.isArray(reply.languages) ? languages : undefined,
    seconds: toSeconds(reply.duration ?? undefined),
    ...lists,
    usage: readUsage(reply.usage),
    ...extraOf(protocol, reply, replyFields),
  }) as TranscriptionReply;
}

/** The body in the form of the request: JSON, or the text of a form that is none. */
export function encode(reply: TranscriptionReply, request: TranscriptionRequest): JsonObject | string {
  const passages = passagesOf(reply);
  switch (request.responseFormat) {
    case "text":
      return `${reply.text}\n`;
    case "srt":
      return toSrt(passages ?? []);
    case "vtt":
      return toVtt(passages ?? []);
    default:
      return encodeJson(reply, request);
  }
}

/** The figures and the text of a reply, which stand in a whole body and at the end of a stream. */
export const wholeFields = ({ text, languages, usage, extra }: TranscriptionReply): JsonObject => ({
  ...extraFields(extra),
  text,
  ...(languages && { languages: languages.map((code) => ({ code })) }),
  ...(usage && { usage: writeUsage(usage) }),
});

function encodeJson(
  reply: TranscriptionReply,
  { responseFormat, timestampGranularities = ["segment"], task, file }: TranscriptionRequest,
): JsonObject {
  const whole = wholeFields(reply);
  const duration = reply.seconds ?? file.seconds ?? 0;
  const passages = passagesOf(reply) ?? [];
  if (responseFormat === "diarized_json")
    return { task: "transcribe", duration, ...whole, segments: passages.map(spokenSegment) };
  if (responseFormat !== "verbose_json") return whole;
  return {
    task: task ?? "transcribe",
    language: reply.language ?? "",
    duration,
    ...whole,
    ...(timestampGranularities.includes("segment") && { segments: passages.map(verboseSegment) }),
    ...(timestampGranularities.includes("word") && { words: (reply.words ?? []).map(writeWord) }),
  };
}
