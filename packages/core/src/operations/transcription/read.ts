import { chain, each, type Machine, run } from "../../codec/machine.ts";
import type { Failure } from "../../ir/failure.ts";
import { parseBounded } from "../../json/bounded.ts";
import { isObject, type Json } from "../../json/json.ts";
import { readFrames } from "../../stream/read-frames.ts";
import type { TranscriptionCodec } from "./codec.ts";
import { foldTranscript } from "./events.ts";
import type { TranscriptFormat, TranscriptionEvent, TranscriptionReply } from "./ir.ts";

const TEXTS: ReadonlySet<string> = new Set<TranscriptFormat>(["text", "srt", "vtt"]);
const EVENTS = /^text\/event-stream\b/i;
const JSON_TYPE = /json/i;

/** Whether an answer of a content type is a stream of events. */
export const isTranscriptStream = (type: string): boolean => EVENTS.test(type);

/** The failure of an answer that ends before its transcript does. */
export const cutTranscript: Failure = { kind: "server", status: 502, message: "The transcript broke off." };

/** Reads the bytes of a stream, and shows each chunk before. `end` of one that broke off gives nothing. */
export const readTranscriptEvents = (
  stream: NonNullable<TranscriptionCodec["stream"]>,
  show?: (chunk: Json) => void,
): Machine<Uint8Array, TranscriptionEvent> =>
  chain(
    chain(
      readFrames(),
      each(({ data }) => {
        const chunk = parseBounded(data) ?? null;
        show?.(chunk);
        return [chunk];
      }),
    ),
    stream.decode(),
  );

/**
 * The body of an answer of a content type that has arrived whole. Text alone is a transcript only where it was
 * requested: elsewhere it is the page of a proxy, or a body that broke off.
 */
export function transcriptBody(bytes: Uint8Array, type: string, format: TranscriptFormat = "json"): Json {
  const text = new TextDecoder().decode(bytes);
  const isText = TEXTS.has(format);
  const json = isText && type !== "" && !JSON_TYPE.test(type) ? undefined : parseBounded(text);
  if (isObject(json) || (isText && typeof json === "string" && JSON_TYPE.test(type))) return json;
  return isText && !/html/i.test(type) ? text : null;
}

/**
 * Whether an answer is JSON in place of the text that was requested, which can be made of it: some servers answer in JSON
 * whatever the request says.
 */
export function isWrapped(
  { segments, words }: TranscriptionReply,
  type: string,
  format: TranscriptFormat = "json",
): boolean {
  const isText = format === "text" || (TEXTS.has(format) && (segments ?? words) !== undefined);
  return isText && JSON_TYPE.test(type);
}

/** The text in an answer whose content type is JSON, where a text was requested: some servers write it in quotes. */
export function quotedText(bytes: Uint8Array, type: string, format?: TranscriptFormat): string | undefined {
  const body = JSON_TYPE.test(type) ? transcriptBody(bytes, type, format) : null;
  return typeof body === "string" ? body : undefined;
}

/** The transcript of an answer that has arrived whole, be it a body or a stream. */
export function readTranscript(
  { reply, stream }: Pick<TranscriptionCodec, "reply" | "stream">,
  bytes: Uint8Array,
  { type, format }: { type: string; format?: TranscriptFormat | undefined },
): TranscriptionReply {
  if (!stream || !isTranscriptStream(type)) return reply.decode(transcriptBody(bytes, type, format));
  return foldTranscript(run(readTranscriptEvents(stream), [bytes])) ?? { text: "", failure: cutTranscript };
}
