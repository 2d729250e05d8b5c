import { isObject, type Json, type JsonObject, numberOf, toObject } from "../../json/json.ts";
import { type Growing, grow, wholeOf } from "./delta.ts";
import type { Body, Chunk } from "./schema.ts";

/** A block, or a JSON value that is not an object and so never grows. */
type Piece = Growing | { value: Json };

/** Merges counts: a later one replaces an earlier one, unless it is null or 0. */
function mergeUsage(before: Json | undefined, later: Json | undefined): Json | undefined {
  if (!isObject(before)) return later ?? before;
  const merged = { ...before };
  for (const [name, value] of Object.entries(toObject(later))) {
    const known = merged[name] !== undefined && merged[name] !== null;
    if (known && (value === null || (value === 0 && name !== "output_tokens"))) continue;
    merged[name] = value;
  }
  return merged;
}

/** Chunks as a unary body; an error becomes the body that an error has. */
export function gather(chunks: Iterable<Chunk>): Body {
  let message: JsonObject | undefined;
  const pieces = new Map<number, Piece>();
  for (const chunk of chunks as Iterable<Json>) {
    if (!isObject(chunk)) continue;
    const at = numberOf(chunk.index) ?? 0;
    switch (chunk.type) {
      case "message_start":
        message ??= { ...toObject(chunk.message) };
        break;
      case "content_block_start": {
        const block = chunk.content_block as Json;
        pieces.set(at, isObject(block) ? { block: { ...block }, fragments: "" } : { value: block });
        break;
      }
      case "content_block_delta": {
        const piece = pieces.get(at);
        if (piece && "block" in piece) grow(piece, toObject(chunk.delta));
        break;
      }
      case "message_delta": {
        message = { ...message, ...toObject(chunk.delta) };
        const usage = mergeUsage(message.usage, chunk.usage);
        if (usage !== undefined) message.usage = usage;
        break;
      }
      case "error":
        return chunk as unknown as Body;
      default:
        if (chunk.error) return chunk as unknown as Body;
    }
  }
  const whole: JsonObject = message ?? {};
  if (pieces.size > 0)
    whole.content = [...pieces.values()].map((piece) => ("value" in piece ? piece.value : wholeOf(piece)));
  return whole as unknown as Body;
}
