import type { Citation } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, numberOf, textOf, toObject, toText } from "../../json/json.ts";
import type { Annotation } from "./schema.ts";

const spanFields = new Set(["type", "url", "title", "start_index", "end_index"]);

export function toCitation(json: Json): Citation {
  const wire = toObject(json);
  const url = textOf(wire.url);
  const title = toText(wire.title) || toText(wire.filename);
  const start = numberOf(wire.start_index);
  const end = numberOf(wire.end_index);
  const whole =
    wire.type === "url_citation" &&
    url !== undefined &&
    Object.keys(wire).every((field) => spanFields.has(field));
  return {
    ...(url !== undefined && { url }),
    ...(title !== "" && { title }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(!whole && { raw: { protocol: "responses", value: json } }),
  };
}

/** A citation of a text; one without a place of its own stands for all of it. */
export function toAnnotation(
  citation: Citation,
  length: number,
  lose: Lose,
  path: string,
): Annotation | undefined {
  const { url, title, quote, start, end, raw } = citation;
  if (raw?.protocol === "responses") return raw.value as unknown as Annotation;
  if (url === undefined) {
    lose(path, "unsupported", "a citation without an address");
    return undefined;
  }
  if (quote !== undefined) lose(`${path}/quote`, "unsupported");
  if (raw) lose(`${path}/raw`, "unsupported");
  if (start === undefined) lose(`${path}/start`, "approximated");
  if (end === undefined) lose(`${path}/end`, "approximated");
  return {
    type: "url_citation",
    url,
    title: title ?? "",
    start_index: start ?? 0,
    end_index: end ?? length,
  };
}
