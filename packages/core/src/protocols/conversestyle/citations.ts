import type { Citation } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";

const protocol = "conversestyle";

/** A citation of this wire. What we wrote ourselves for another wire comes back as that wire's. */
export function readCitation(json: Json): Citation {
  const wire = toObject(json);
  const source = textOf(wire.source);
  const place = textOf(toObject(toObject(wire.location).web).url);
  const url = place ?? (source && /^https?:/i.test(source) ? source : undefined);
  const title = textOf(wire.title);
  const quotes = toArray(wire.sourceContent).map((one) => toText(toObject(one).text));
  const quote = quotes.length > 0 ? quotes.join("") : undefined;
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(quote !== undefined && { quote }),
    raw: { protocol, value: json },
  };
}

/** Writes the citations that upstream made itself: it accepts no others. */
export const writeCitations = (citations: Citation[] | undefined, path: string, lose: Lose): Json[] =>
  (citations ?? []).flatMap(({ raw }, i) => {
    if (raw?.protocol === protocol) return [raw.value];
    lose(`${path}/citations/${i}`, "unsupported");
    return [];
  });

/** A citation in a reply. On this wire a whole block is what is cited. */
export function toWireCitation(citation: Citation, path: string, lose: Lose): JsonObject {
  const { url, title, quote, start, end, raw } = citation;
  if (raw?.protocol === protocol) return toObject(raw.value);
  if (start !== undefined || end !== undefined || raw || url === undefined) lose(path, "approximated");
  return {
    ...(title !== undefined && { title }),
    ...(quote !== undefined && { sourceContent: [{ text: quote }] }),
    ...(url !== undefined && { location: { web: { url } } }),
  };
}
