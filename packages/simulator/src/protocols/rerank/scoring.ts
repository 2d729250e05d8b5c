import { digest } from "../../content/digest.ts";
import { countTokens } from "../../content/tokens.ts";

/** A document, with its index in the request. */
export interface Ranked {
  index: number;
  text: string;
  score: number;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The share of the query's words that the text has, and a small part by which texts with equal shares differ. */
function scoreOf(query: readonly string[], text: string): number {
  const words = new Set(wordsOf(text));
  const shared = query.filter((word) => words.has(word)).length / Math.max(1, query.length);
  const rest = Number.parseInt(digest(query.join(" "), text).slice(0, 8), 16) / 0xffffffff;
  return Math.round((0.9 * shared + 0.1 * rest) * 1e6) / 1e6;
}

/** The `most` best documents, the best first. */
export function rank(query: string, texts: readonly string[], most = texts.length): Ranked[] {
  const words = wordsOf(query);
  const ranked = texts.map((text, index) => ({ index, text, score: scoreOf(words, text) }));
  return ranked.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, most);
}

/** The tokens of a ranking, for which the query counts once for each document. */
export const pairTokens = (query: string, texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + countTokens(query) + countTokens(text), 0);

/** A unit is a query with up to 100 pieces of documents, each of up to 500 tokens together with the query. */
export function searchUnits(query: string, texts: readonly string[], cut = 4096): number {
  const room = Math.max(1, 500 - countTokens(query));
  const pieces = texts.map((text) => Math.max(1, Math.ceil(Math.min(countTokens(text), cut) / room)));
  return Math.ceil(pieces.reduce((sum, count) => sum + count, 0) / 100);
}
