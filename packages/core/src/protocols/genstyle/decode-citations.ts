import type { Citation, TokenLogprob } from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
} from "../../json/json.ts";
import { widthAt } from "./utf8-width.ts";

/** A citation and the span it has on the wire: bytes of the text's UTF-8, or the text itself. */
export interface Support {
  citation: Citation;
  start: number;
  end?: number;
  text?: string;
}

/** Reads the sources of a candidate's text, in the two places where servers give them. */
export function readSupports(candidate: JsonObject): Support[] {
  const grounding = toObject(candidate.groundingMetadata);
  const sources = toArray(grounding.groundingChunks).map(readSource);
  const supports = toArray(grounding.groundingSupports).flatMap((json): Support[] => {
    const { segment, groundingChunkIndices } = toObject(json);
    const span = readSpan(toObject(segment));
    return toArray(groundingChunkIndices).flatMap((i) => {
      const citation = sources[numberOf(i) ?? -1];
      return citation ? [{ citation, ...span }] : [];
    });
  });
  const recited = toArray(toObject(candidate.citationMetadata).citations).map((json): Support => {
    const citation = toObject(json);
    return { citation: readSource({ web: citation }), ...readSpan(citation) };
  });
  return [...supports, ...recited];
}

function readSource(json: Json): Citation {
  const { web, retrievedContext, maps } = toObject(json);
  const { uri, title, text } = toObject(web ?? retrievedContext ?? maps);
  const [url, name, quote] = [textOf(uri), textOf(title), textOf(text)];
  return {
    ...(url && { url }),
    ...(name && { title: name }),
    ...(quote && { quote }),
  };
}

function readSpan({ startIndex, endIndex, text }: JsonObject): Omit<Support, "citation"> {
  const [end, words] = [numberOf(endIndex), textOf(text)];
  return {
    start: numberOf(startIndex) ?? 0,
    ...(end !== undefined && { end }),
    ...(words && { text: words }),
  };
}

/** The citation with its place in `text`; nothing where it cites some other text. */
export function placeIn(text: string, { citation, start, end, text: words }: Support): Citation | undefined {
  if (end === undefined && words === undefined) return citation;
  const [from, to] = [unitAt(text, start), unitAt(text, end ?? Number.POSITIVE_INFINITY)];
  const fits = from !== undefined && to !== undefined && from <= to;
  if (fits && (words === undefined || text.slice(from, to) === words))
    return { ...citation, start: from, end: to };
  // Some servers count offsets from another start, so the words are searched for instead.
  const at = words === undefined ? -1 : text.indexOf(words);
  return at < 0 ? undefined : { ...citation, start: at, end: at + (words ?? "").length };
}

/** The UTF-16 offset of a byte of the text's UTF-8; nothing beyond its end. */
function unitAt(text: string, byte: number): number | undefined {
  let bytes = 0;
  for (let i = 0; i < text.length; ) {
    if (bytes >= byte) return i;
    const [units, width] = widthAt(text, i);
    i += units;
    bytes += width;
  }
  return bytes >= byte ? text.length : undefined;
}

function readToken(json: Json | undefined): { token: string; logprob: number } | undefined {
  if (!isObject(json)) return undefined;
  const [token, logprob] = [textOf(json.token), numberOf(json.logProbability)];
  return token === undefined || logprob === undefined ? undefined : { token, logprob };
}

export function readLogprobs(json: Json | undefined): TokenLogprob[] {
  const { chosenCandidates, topCandidates } = toObject(json);
  const tops = toArray(topCandidates);
  return toArray(chosenCandidates).flatMap((candidate, i) => {
    const token = readToken(candidate);
    const top = toArray(toObject(tops[i]).candidates).flatMap((one) => readToken(one) ?? []);
    return token ? [{ ...token, ...(top.length > 0 && { top }) }] : [];
  });
}
