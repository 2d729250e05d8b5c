import type { Citation } from "../../ir/index.ts";
import { isObject } from "../../json/json.ts";
import type { Annotation } from "./schema.ts";

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
