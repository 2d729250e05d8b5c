import type { Citation } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, type JsonObject, textOf, toObject } from "../../json/json.ts";
import type { WireCitation } from "./schema.ts";

/** A citation of this wire. What we wrote ourselves for another wire comes back as that wire's. */
export function readCitation(json: Json): Citation {
  const wire = toObject(json);
  const source = textOf(wire.source);
  const url = textOf(wire.url) ?? (source && /^https?:/i.test(source) ? source : undefined);
  const title = textOf(wire.title) ?? textOf(wire.document_title);
  const quote = textOf(wire.cited_text);
  const foreign = wire.type === "web_search_result_location" && wire.encrypted_index === "";
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(quote !== undefined && (quote !== "" || !foreign) && { quote }),
    ...(!foreign && { raw: { protocol: "msgstyle", value: json } }),
  };
}

/** Writes the citations that upstream made itself: it accepts no others. */
export const writeCitations = (citations: Citation[] | undefined, path: string, lose: Lose): Json[] =>
  (citations ?? []).flatMap(({ raw }, i) => {
    if (raw?.protocol === "msgstyle") return [raw.value];
    lose(`${path}/citations/${i}`, "unsupported");
    return [];
  });

/** A citation in a reply. On this wire a whole block is what is cited. */
export function toWireCitation(citation: Citation, path: string, lose: Lose): WireCitation | JsonObject {
  const { url, title, quote, start, end, raw } = citation;
  if (raw?.protocol === "msgstyle") return raw.value as JsonObject;
  if (start !== undefined || end !== undefined || raw || url === undefined) lose(path, "approximated");
  return {
    type: "web_search_result_location",
    url: url ?? "",
    title: title ?? null,
    cited_text: quote ?? "",
    encrypted_index: "",
  };
}
