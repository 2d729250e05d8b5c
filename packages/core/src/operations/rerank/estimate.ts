import type { RerankRequest, RerankUsage } from "./ir.ts";

/** The likely and the fewest bytes of text in a token. */
const BYTES_PER_TOKEN = { likely: 4, fewest: 1 };
/** The most tokens that a model adds to a query and a document. */
const ADDED_TOKENS = 8;
/** The tokens of a query and a document that count as one document; a longer one counts as several. */
const TOKENS_PER_PIECE = 500;
/** The documents, or pieces of long ones, of a search unit. */
const PIECES_PER_UNIT = 100;
/** Tokens after which documents are cut off, if the request does not say. */
const DEFAULT_DOCUMENT_TOKENS = 4096;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/**
 * The usage of a request whose tokens have so many bytes. The query is read once with each document, and with each piece
 * of a long one.
 */
function usageOf(
  { query, documents, maxTokensPerDocument = DEFAULT_DOCUMENT_TOKENS }: RerankRequest,
  bytes: number,
): Required<RerankUsage> {
  const tokensOf = (text: string): number => Math.ceil(bytesOf(text) / bytes);
  const perDocument = tokensOf(query);
  // A query of any length leaves room for some of a document.
  const room = Math.max(1, TOKENS_PER_PIECE - perDocument);
  let [input, pieces] = [0, 0];
  for (const { text } of documents) {
    const tokens = tokensOf(text);
    input += perDocument + tokens;
    pieces += Math.max(1, Math.ceil(Math.min(tokens, maxTokensPerDocument) / room));
  }
  return { input, searchUnits: Math.max(1, Math.ceil(pieces / PIECES_PER_UNIT)) };
}

/** The likely usage of a request: held before it, and billed for what its answer does not count. */
export const estimateRerank = (request: RerankRequest): Required<RerankUsage> & { estimated: true } => ({
  ...usageOf(request, BYTES_PER_TOKEN.likely),
  estimated: true,
});

const units = ["input", "searchUnits"] as const;

/**
 * The usage that an answer is billed by: what its provider reported, and an estimate of each unit that has a price and
 * was not reported, since it is not free. Where no price is known, an answer without a report is estimated.
 */
export function usageOfRerank(
  usage: RerankUsage,
  request: RerankRequest,
  price: Partial<Record<keyof RerankUsage, number>> | undefined,
): RerankUsage & { input: number; output: 0; estimated?: true } {
  const { estimated, ...estimate } = estimateRerank(request);
  const isReported = Object.keys(usage).length > 0;
  const missing = units.filter(
    (unit) => usage[unit] === undefined && (price ? price[unit] !== undefined : !isReported),
  );
  return {
    input: 0,
    output: 0,
    ...Object.fromEntries(missing.map((unit) => [unit, estimate[unit]])),
    ...usage,
    ...(missing.length > 0 && { estimated }),
  };
}

/** The most that a request can use: no text has more tokens than bytes. */
export function mostRerank(request: RerankRequest): Required<RerankUsage> {
  const { input, searchUnits } = usageOf(request, BYTES_PER_TOKEN.fewest);
  return { input: input + ADDED_TOKENS * request.documents.length, searchUnits };
}
