import type { Citation, TokenLogprob } from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json.ts";
import type { Annotation, TokenLogprobs } from "./schema.ts";

const cited = new Set(["type", "url_citation"]);
const spans = new Set(["url", "title", "start_index", "end_index", "content"]);

export function toCitation(json: Json): Citation {
  const wire = toObject(json);
  const span = toObject(wire.url_citation);
  const url = textOf(span.url);
  const title = toText(span.title);
  const quote = toText(span.content);
  const start = numberOf(span.start_index);
  const end = numberOf(span.end_index);
  // An empty span says nothing of where.
  const placed = end !== undefined && end > 0;
  const whole =
    wire.type === "url_citation" &&
    Object.keys(wire).every((key) => cited.has(key)) &&
    Object.keys(span).every((key) => spans.has(key));
  return {
    ...(url !== undefined && { url }),
    ...(title !== "" && { title }),
    ...(quote !== "" && { quote }),
    ...(placed && { start: start ?? 0, end }),
    ...(!whole && { raw: { protocol: "chatstyle", value: json } }),
  };
}

const bytesOf = (value: Json | undefined): { bytes?: number[] } =>
  Array.isArray(value) && value.every((byte) => typeof byte === "number") ? { bytes: value as number[] } : {};

export function toLogprob(json: Json): TokenLogprob {
  const wire = toObject(json);
  const one = ({ token, logprob, bytes }: JsonObject) => ({
    token: toText(token),
    logprob: numberOf(logprob) ?? 0,
    ...bytesOf(bytes),
  });
  const top = toArray(wire.top_logprobs).map((other) => one(toObject(other)));
  return { ...one(wire), ...(top.length > 0 && { top }) };
}

/** A citation of the content; one without a place of its own stands for the whole part. */
export function toAnnotation(citation: Citation, start: number, end: number): Annotation | undefined {
  const { url, title, quote, raw } = citation;
  if (raw?.protocol === "chatstyle" && isObject(raw.value)) return raw.value as unknown as Annotation;
  if (url === undefined) return undefined;
  return {
    type: "url_citation",
    url_citation: {
      url,
      title: title ?? "",
      start_index: start + (citation.start ?? 0),
      end_index: citation.end === undefined ? end : start + citation.end,
      ...(quote !== undefined && { content: quote }),
    },
  };
}

export const writeLogprob = ({ token, logprob, bytes, top = [] }: TokenLogprob): TokenLogprobs => ({
  token,
  logprob,
  bytes: bytes ?? null,
  top_logprobs: top.map((other) => ({
    token: other.token,
    logprob: other.logprob,
    bytes: other.bytes ?? null,
  })),
});
