import type { Citation } from "../../ir/index.ts";
import { isObject, type Json, numberOf, textOf, toObject, toText } from "../../json/json.ts";
import type { Annotation } from "./schema.ts";

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
  // An empty span gives no place.
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
