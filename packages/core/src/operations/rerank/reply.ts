import { show } from "../../capability/message-text.ts";
import { toCount } from "../../ir/usage.ts";
import { compact, type Json, type JsonObject, numberOf, textOf, toArray, toObject } from "../../json/json.ts";
import type { RerankDocument, RerankReply, RerankRequest, RerankResult, RerankUsage } from "./ir.ts";

/** The counts of a reply by the places where providers write them; the first that is there counts. */
const places: Readonly<Record<keyof RerankUsage, readonly (readonly string[])[]>> = {
  input: [
    ["usage", "total_tokens"],
    ["usage", "prompt_tokens"],
    ["meta", "tokens", "input_tokens"],
    ["meta", "billed_units", "input_tokens"],
    ["tokens", "input_tokens"],
  ],
  searchUnits: [
    ["meta", "billed_units", "search_units"],
    ["usage", "search_units"],
  ],
};

const at = (body: Json, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((value, name) => toObject(value)[name], body);

/** A count; undefined where a figure is malformed, because a figure read as 0 would not be charged. */
function countAt(body: Json, paths: readonly (readonly string[])[]): number | undefined {
  for (const path of paths) {
    const value = at(body, path);
    // A provider that bills another unit writes a 0 here.
    if (value !== undefined && value !== null && value !== 0) return toCount(value);
  }
  return undefined;
}

function readUsage(body: Json): RerankUsage | undefined {
  const usage = compact<RerankUsage>({
    input: countAt(body, places.input),
    searchUnits: countAt(body, places.searchUnits),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

const UNREADABLE: RerankResult = { index: -1, score: 0 };

function readResult(value: Json): RerankResult {
  const { index, relevance_score, score } = toObject(value);
  const [place, relevance] = [toCount(index), numberOf(relevance_score) ?? numberOf(score)];
  return place === undefined || relevance === undefined ? UNREADABLE : { index: place, score: relevance };
}

export function decode(body: Json): RerankReply {
  const { results, data, model } = toObject(body);
  return compact<RerankReply>({
    // Some servers answer with the list alone.
    results: toArray(results ?? data ?? body).map(readResult),
    usage: readUsage(body),
    model: textOf(model),
  });
}

/** The results in order, and no more than requested: some providers answer with all of them, or in another order. */
export const topResults = ({ results }: RerankReply, { topN }: RerankRequest): RerankResult[] =>
  results.toSorted((a, b) => b.score - a.score || a.index - b.index).slice(0, topN);

const writeDocument = ({ text, fields }: RerankDocument): JsonObject => fields ?? { text };

/** The answer in the form that the clients of all wires read. */
export function encode(reply: RerankReply, request: RerankRequest): JsonObject {
  const { input = 0, searchUnits } = reply.usage ?? {};
  const { documents, returnDocuments } = request;
  const written = (index: number): JsonObject => {
    const document = returnDocuments && documents[index];
    return document ? { document: writeDocument(document) } : {};
  };
  return {
    object: "list",
    model: request.model,
    results: topResults(reply, request).map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...written(index),
    })),
    usage: {
      prompt_tokens: input,
      total_tokens: input,
      ...(searchUnits !== undefined && { search_units: searchUnits }),
    },
    ...(searchUnits !== undefined && { meta: { billed_units: { search_units: searchUnits } } }),
  };
}

/** What keeps a reply from ordering the documents of its request, in words for its caller. */
export function shortfallOf(request: RerankRequest, { results }: RerankReply): string | undefined {
  const most = request.documents.length;
  const indices = results.map(({ index }) => index);
  const isSound =
    indices.every((index) => index >= 0 && index < most) && new Set(indices).size === indices.length;
  if (results.length > 0 && isSound) return undefined;
  return `The provider returned no readable ranking of the ${most} documents for the model ${show(request.model)}.`;
}
