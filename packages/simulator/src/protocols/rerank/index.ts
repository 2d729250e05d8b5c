import * as z from "zod";
import { checked } from "../../check/body.ts";
import { Refusal } from "../../refusal.ts";
import { streamError } from "../chatstyle/errors.ts";
import { chatstyle } from "../chatstyle/index.ts";
import { toRefusal } from "../family.ts";
import { bearer, type Call, type ErrorAnswer, type PlainAnswer, type Wire } from "../protocol.ts";
import type { Route } from "../route.ts";
import { pairTokens, type Ranked, rank, searchUnits } from "./scoring.ts";

const count = z.int().min(1);
const name = z.string().min(1);
const texts = z.array(z.string()).min(1);
const every = { model: name, query: z.string().min(1) };

const wire = (id: string, body: (refusal: Refusal) => unknown): Wire => ({
  name: id,
  key: bearer,
  refuse: (refusal): ErrorAnswer => {
    const { retryAfter } = refusal.detail;
    const headers: Record<string, string> =
      retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    return { status: refusal.status, headers, body: body(refusal) };
  },
  streamError,
});

const results = (ranked: readonly Ranked[], documents: boolean) =>
  ranked.map(({ index, score, text }) => ({
    index,
    relevance_score: score,
    ...(documents && { document: { text } }),
  }));

/** Billed by the token; documents come back unless that is declined. */
const common = z.strictObject({
  ...every,
  documents: z.array(z.union([z.string(), z.strictObject({ text: z.string() })])).min(1),
  top_n: count.optional(),
  return_documents: z.boolean().default(true),
  max_chunks_per_doc: count.optional(),
});

function rerank(input: unknown, { model }: Call): PlainAnswer {
  const body = checked(common, input, toRefusal);
  const { query, return_documents: returned } = body;
  const documents = body.documents.map((document) =>
    typeof document === "string" ? document : document.text,
  );
  const total = pairTokens(query, documents);
  return {
    text: query,
    input: total,
    write: (usage) => ({
      model,
      object: "list",
      ...(usage && { usage: { total_tokens: total, prompt_tokens: total } }),
      results: results(rank(query, documents, body.top_n), returned),
    }),
  };
}

const MOST = 10_000;

function billedByUnits(
  { query, documents, cut, most }: { query: string; documents: string[]; cut?: number; most?: number },
  version: string,
  returned: boolean,
): PlainAnswer {
  if (documents.length > MOST)
    throw new Refusal("invalid", `too many documents: the limit is ${MOST}, got ${documents.length}`);
  const units = searchUnits(query, documents, cut);
  return {
    text: query,
    input: 0,
    searchUnits: units,
    write: (usage) => ({
      id: "07734bd2-2473-4f07-94e1-0d9f0e6843cf",
      results: results(rank(query, documents, most), returned),
      meta: {
        api_version: { version, is_experimental: false },
        ...(usage && { billed_units: { search_units: units } }),
      },
    }),
  };
}

const searched = z.strictObject({
  ...every,
  documents: texts,
  top_n: count.optional(),
  max_tokens_per_doc: count.optional(),
  priority: z.int().min(0).max(999).optional(),
});

function search(input: unknown): PlainAnswer {
  const body = checked(searched, input, toRefusal);
  const { query, documents, top_n: most, max_tokens_per_doc: cut } = body;
  return billedByUnits({ query, documents, ...(most && { most }), ...(cut && { cut }) }, "2", false);
}

const searchedBefore = z.strictObject({
  ...every,
  documents: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).min(1),
  top_n: count.optional(),
  rank_fields: z.array(name).min(1).optional(),
  return_documents: z.boolean().default(false),
  max_chunks_per_doc: count.optional(),
});

function searchBefore(input: unknown): PlainAnswer {
  const body = checked(searchedBefore, input, toRefusal);
  const { query, rank_fields: ranked = ["text"], top_n: most, return_documents: returned } = body;
  const documents = body.documents.map((document, i) => {
    if (typeof document === "string") return document;
    const missing = ranked.find((member) => document[member] === undefined);
    if (missing !== undefined)
      throw new Refusal(
        "invalid",
        `invalid request: document at index ${i} is missing the field '${missing}'`,
      );
    return ranked.map((member) => String(document[member])).join("\n");
  });
  return billedByUnits({ query, documents, ...(most && { most }) }, "1", returned);
}

/** Every document comes back, whatever is requested. */
const scored = z.strictObject({
  ...every,
  documents: texts,
  top_n: z.int().min(0).default(0),
  truncate_prompt_tokens: z.int().min(-1).optional(),
  priority: z.int().optional(),
});

function score(input: unknown, { model }: Call): PlainAnswer {
  const { query, documents, top_n: most } = checked(scored, input, toRefusal);
  const total = pairTokens(query, documents);
  return {
    text: query,
    input: total,
    write: (usage) => ({
      id: "rerank-bf8a2c3d",
      model,
      ...(usage && { usage: { prompt_tokens: total, total_tokens: total } }),
      results: results(rank(query, documents, most || undefined), true),
    }),
  };
}

const topped = z.strictObject({
  ...every,
  documents: z.array(z.string()).min(1).max(1_000),
  top_k: count.optional(),
  return_documents: z.boolean().default(false),
  truncation: z.boolean().optional(),
});

function top(input: unknown, { model }: Call): PlainAnswer {
  const { query, documents, top_k: most, return_documents: returned } = checked(topped, input, toRefusal);
  const total = pairTokens(query, documents);
  const data = rank(query, documents, most).map(({ index, score: relevance_score, text }) => ({
    relevance_score,
    index,
    ...(returned && { document: text }),
  }));
  return {
    text: query,
    input: total,
    write: (usage) => ({
      object: "list",
      data,
      model,
      ...(usage && { usage: { total_tokens: total } }),
    }),
  };
}

/** The model is that of the server, whatever a request names. */
const listed = z.object({
  query: z.string().min(1),
  texts: z.array(z.string()).min(1),
  raw_scores: z.boolean().default(false),
  return_text: z.boolean().default(false),
  truncate: z.boolean().default(false),
});

function list(input: unknown): PlainAnswer {
  const { query, texts: documents, return_text: returned } = checked(listed, input, toRefusal);
  return {
    text: query,
    input: pairTokens(query, documents),
    write: () =>
      rank(query, documents, undefined).map(({ index, score: points, text }) => ({
        index,
        score: points,
        ...(returned && { text }),
      })),
  };
}

const detail = ({ message }: Refusal) => ({ detail: message });
const message = ({ message }: Refusal) => ({ message });
const error = ({ message }: Refusal) => ({ error: message, error_type: "Validation" });

const row = (path: RegExp, protocol: Wire, plain: NonNullable<Route["plain"]>): Route => ({
  method: "POST",
  path,
  protocol,
  operation: "rerank",
  plain,
});

/** The wires of reranking, which have one path: all but the most common stand below a path of their own. */
export const reranking: Route[] = [
  row(/^\/rerank$/, wire("rerankstyle", detail), rerank),
  row(/^\/v2\/rerank$/, wire("searchstyle", message), search),
  row(/^\/search\/v1\/rerank$/, wire("searchstyle1", message), searchBefore),
  row(/^\/score\/v1\/rerank$/, { ...wire("scorestyle", detail), refuse: chatstyle.refuse }, score),
  row(/^\/top\/v1\/rerank$/, wire("topstyle", detail), top),
  row(/^\/list\/rerank$/, wire("liststyle", error), list),
];
