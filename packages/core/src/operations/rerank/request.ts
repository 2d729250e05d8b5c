import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { extraFor, extraOf } from "../../ir/extra.ts";
import type { Lose } from "../../ir/loss.ts";
import {
  compact,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  pick,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import { any, array, boolean, nullish, number, object, string, union } from "../../schema/node.ts";
import { type Fault, validator } from "../../schema/validator.ts";
import type { OperationFacts } from "../codec.ts";
import type { RerankDocument, RerankRequest } from "./ir.ts";

/** All wires of reranking are members of the chat family: their errors have its form. */
export const protocol = "chatstyle";

/** Where the requests of one provider's wire differ from those of others. */
export interface RequestDialect {
  /** The member with the documents. Default: `documents`. */
  texts?: "texts";
  /** The member with the most results. */
  limit: "top_n" | "top_k";
  /** Documents may be objects, of which `rank_fields` are compared. */
  objects?: true;
  /** The member for the tokens of a document; absent if the wire has none. */
  tokens?: "max_tokens_per_doc";
  /** The member for the pieces of a document; absent if the wire has none. */
  chunks?: "max_chunks_per_doc";
  /** Members of every request. */
  always?: JsonObject;
}

export const facts: OperationFacts = {
  params: {
    topN: ["/top_n", "/top_k"],
    rankFields: ["/rank_fields"],
    maxTokensPerDocument: ["/max_tokens_per_doc"],
    maxChunksPerDocument: ["/max_chunks_per_doc"],
  },
  others: ["query", "documents", "return_documents"],
};

const fields = new Set([
  "model",
  ...facts.others,
  ...Object.values(facts.params).flatMap((pointers) => pointers.map((pointer) => pointer.slice(1))),
]);

const count = nullish(number({ integer: true, min: 1 }));
const node = object({
  model: string({ min: 1, message: "is required" }),
  query: union(
    [
      string({ min: 1, message: "must not be empty" }),
      object({ text: string({ min: 1, message: "must not be empty" }) }),
    ],
    "must be a text, or an object with text",
  ),
  documents: array(any(), { min: 1, message: "must have at least one document" }),
  top_n: count,
  top_k: count,
  rank_fields: nullish(array(string({ min: 1 }), { min: 1, message: "must name at least one member" })),
  max_tokens_per_doc: count,
  max_chunks_per_doc: count,
  return_documents: nullish(boolean()),
});

/** Documents without a text to compare. */
function* unreadable(wire: unknown): Generator<Fault> {
  const { documents, rank_fields } = toObject(wire);
  const ranked = rankFieldsOf(rank_fields);
  for (const [i, document] of toArray(documents).entries()) {
    if (typeof document === "string") continue;
    const has = (name: string) => isObject(document) && isScalar(document[name]);
    if (ranked ? ranked.some(has) : isObject(document) && typeof document.text === "string") continue;
    const needed = ranked ? `one of the members ${ranked.join(", ")} as text` : "text";
    yield { path: ["documents", i], message: `must be a text, or an object with ${needed}` };
  }
}

/** The requests that callers send: of any wire of reranking. */
export const schema = validator(node, { faults: unreadable });

const isScalar = (value: Json | undefined): boolean => ["string", "number", "boolean"].includes(typeof value);

const rankFieldsOf = (value: Json | undefined): string[] | undefined => {
  const names = toArray(value).filter((name) => typeof name === "string");
  return names.length > 0 ? names : undefined;
};

/** The text that is compared: of several members, each with its name. */
function textOfFields(document: JsonObject, rankFields: readonly string[] | undefined): string {
  if (!rankFields) return toText(document.text);
  const named = rankFields.filter((name) => isScalar(document[name]));
  return named.map((name) => `${name}: ${String(document[name])}`).join("\n");
}

const toDocument = (value: Json, rankFields: readonly string[] | undefined): RerankDocument =>
  isObject(value) ? { text: textOfFields(value, rankFields), fields: value } : { text: toText(value) };

export function decode(wire: JsonObject, trace: Trace = noTrace): RerankRequest {
  const { query } = wire;
  const rankFields = rankFieldsOf(wire.rank_fields);
  const documents = toArray(wire.documents).map((value, i) => {
    const document = toDocument(value, rankFields);
    trace(document, `/documents/${i}`);
    return document;
  });
  trace(documents, "/documents");
  return compact<RerankRequest>({
    model: toText(wire.model),
    query: textOf(query) ?? toText(toObject(query).text),
    documents,
    topN: numberOf(wire.top_n) ?? numberOf(wire.top_k),
    rankFields,
    maxTokensPerDocument: numberOf(wire.max_tokens_per_doc),
    maxChunksPerDocument: numberOf(wire.max_chunks_per_doc),
    ...(wire.return_documents !== false && { returnDocuments: true }),
    ...extraOf(protocol, wire, fields),
  });
}

export const encodeFor =
  ({ texts, limit, objects, tokens, chunks, always }: RequestDialect) =>
  (request: RerankRequest, lose: Lose): JsonObject => {
    const { rankFields, topN, maxTokensPerDocument, maxChunksPerDocument } = request;
    const compared = objects && rankFields;
    if (rankFields && !compared) lose("/rankFields", "approximated", "the members are sent as one text");
    if (maxTokensPerDocument !== undefined && !tokens) lose("/maxTokensPerDocument", "unsupported");
    if (maxChunksPerDocument !== undefined && !chunks) lose("/maxChunksPerDocument", "unsupported");
    const documents = request.documents.map(({ text, fields: members }): Json => {
      return compared && members ? pick(members, compared) : text;
    });
    return compact<JsonObject>({
      ...extraFor(protocol, request.extra, lose, ""),
      ...always,
      model: request.model,
      query: request.query,
      [texts ?? "documents"]: documents,
      ...(topN !== undefined && { [limit]: topN }),
      ...(compared && { rank_fields: compared }),
      ...(tokens && maxTokensPerDocument !== undefined && { [tokens]: maxTokensPerDocument }),
      ...(chunks && maxChunksPerDocument !== undefined && { [chunks]: maxChunksPerDocument }),
    });
  };
