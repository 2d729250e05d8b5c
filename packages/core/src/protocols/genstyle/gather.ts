import { isObject, type Json, type JsonObject, numberOf, toArray, toObject } from "../../json/json.ts";
import { joinGrounding } from "./encode-citations.ts";
import type { Body, Chunk } from "./schema.ts";

/** Chunks as a unary body: parts follow each other, counts are the last ones. */
export function gather(chunks: Iterable<Chunk>): Body {
  let body: JsonObject | undefined;
  for (const chunk of chunks as Iterable<unknown>)
    if (isObject(chunk)) body = body ? join(body, chunk) : chunk;
  return (body ?? {}) as Body;
}

function join(body: JsonObject, chunk: JsonObject): JsonObject {
  const out = { ...body, ...chunk };
  if (isObject(body.usageMetadata) && isObject(chunk.usageMetadata))
    out.usageMetadata = { ...body.usageMetadata, ...chunk.usageMetadata };
  if (body.candidates !== undefined && chunk.candidates !== undefined)
    out.candidates = joinCandidates(toArray(body.candidates), toArray(chunk.candidates));
  return out;
}

const indexOf = (candidate: Json): number => numberOf(toObject(candidate).index) ?? 0;

function joinCandidates(all: Json[], more: Json[]): Json[] {
  const out = [...all];
  for (const candidate of more) {
    const at = out.findIndex((other) => indexOf(other) === indexOf(candidate));
    if (at < 0) out.push(candidate);
    else out[at] = joinCandidate(toObject(out[at]), toObject(candidate));
  }
  return out.sort((a, b) => indexOf(a) - indexOf(b));
}

function joinCandidate(first: JsonObject, second: JsonObject): JsonObject {
  const out = { ...first, ...second };
  const [content, more] = [toObject(first.content), toObject(second.content)];
  if (first.content !== undefined || second.content !== undefined) out.content = { ...content, ...more };
  if (content.parts !== undefined && more.parts !== undefined)
    out.content = { ...content, ...more, parts: toArray(more.parts).reduce(addPart, toArray(content.parts)) };
  const [grounding, support] = [first.groundingMetadata, second.groundingMetadata];
  if (isObject(grounding) && isObject(support)) out.groundingMetadata = joinGrounding(grounding, support);
  const [tokens, others] = [first.logprobsResult, second.logprobsResult];
  if (isObject(tokens) && isObject(others)) out.logprobsResult = joinLists(tokens, others);
  return out;
}

const joinLists = (first: JsonObject, second: JsonObject): JsonObject => {
  const out = { ...first, ...second };
  for (const key of ["chosenCandidates", "topCandidates"])
    out[key] = [...toArray(first[key]), ...toArray(second[key])];
  return out;
};

const textFields = new Set(["text", "thought", "thoughtSignature"]);
const isPlain = (part: JsonObject): boolean =>
  typeof part.text === "string" && Object.keys(part).every((key) => textFields.has(key));

/** Text continues the text before it, up to its signature; an empty part adds nothing. */
function addPart(parts: Json[], json: Json): Json[] {
  const part = toObject(json);
  const last = toObject(parts.at(-1));
  if (parts.length > 0 && part.text === "" && Object.keys(part).length === 1) return parts;
  const alike = Boolean(last.thought) === Boolean(part.thought) && last.thoughtSignature === undefined;
  if (!isPlain(part) || !isPlain(last) || !alike) return [...parts, json];
  const isContinuation = part.thought || part.text !== "" || part.thoughtSignature === undefined;
  if (!isContinuation) return [...parts, json];
  return [...parts.slice(0, -1), { ...last, ...part, text: `${last.text}${part.text}` }];
}
