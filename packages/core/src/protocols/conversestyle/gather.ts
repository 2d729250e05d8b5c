import { isObject, type Json, type JsonObject, numberOf, toObject } from "../../json/json.ts";
import { type Growing, grow, impliedBlock, wholeOf } from "./delta.ts";
import { isFailure } from "./failure.ts";
import type { Body, Chunk } from "./schema.ts";

/** A block, or a JSON value that is not an object and so never grows. */
type Piece = Growing | { value: Json };

/** Chunks as a unary body; an exception becomes the body that an error has. */
export function gather(chunks: Iterable<Chunk>): Body {
  let message: JsonObject | undefined;
  let ending: JsonObject = {};
  let metadata: JsonObject = {};
  const pieces = new Map<number, Piece>();
  for (const chunk of chunks as Iterable<Json>) {
    if (!isObject(chunk)) continue;
    if (isFailure(chunk)) return chunk;
    const { messageStart, contentBlockStart, contentBlockDelta, messageStop } = chunk;
    if (isObject(messageStart)) message ??= messageStart;
    if (isObject(contentBlockStart)) {
      const { start } = contentBlockStart;
      const block: Piece = isObject(start)
        ? { block: { ...start }, fragments: "" }
        : { value: start ?? null };
      pieces.set(numberOf(contentBlockStart.contentBlockIndex) ?? 0, block);
    }
    if (isObject(contentBlockDelta)) {
      const at = numberOf(contentBlockDelta.contentBlockIndex) ?? 0;
      const delta = toObject(contentBlockDelta.delta);
      const piece = pieces.get(at) ?? { block: impliedBlock(delta), fragments: "" };
      pieces.set(at, piece);
      if ("block" in piece) grow(piece, delta);
    }
    if (isObject(messageStop)) ending = { ...ending, ...messageStop };
    if (isObject(chunk.metadata)) metadata = { ...metadata, ...chunk.metadata };
  }
  if (message === undefined && pieces.size === 0) return {};
  const content = [...pieces.values()].map((piece) => ("value" in piece ? piece.value : wholeOf(piece)));
  return { output: { message: { ...message, content } }, ...ending, ...metadata };
}
