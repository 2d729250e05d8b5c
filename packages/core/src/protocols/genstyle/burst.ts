import { DONE } from "../../codec/codec-base.ts";
import { type Json, toArray, toObject } from "../../json/json.ts";

/**
 * A unary body is a stream of one chunk; the endpoint that streams without events gives a list of them. A body
 * with content counts as complete, whatever its finish says.
 */
export function burst(body: Json): Json[] {
  const chunks = Array.isArray(body) ? body : [body];
  return chunks.some(hasContent) ? [...chunks, DONE] : chunks;
}

const hasContent = (chunk: Json): boolean =>
  toArray(toObject(chunk).candidates).some(
    (candidate) => toArray(toObject(toObject(candidate).content).parts).length > 0,
  );
