import type { Citation } from "../../ir/index.ts";
import { type Json, numberOf, textOf, toObject, toText } from "../../json/json.ts";

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
