import { defineFailures } from "../../family/decode-failure.ts";
import { isObject, type Json, type JsonObject } from "../../json/json.ts";

export const { decode: decodeFailure, readInBand } = defineFailures("chatstyle");

/** The error that a body or a chunk holds; nothing where it holds none. */
export function findError(json: Json | undefined): JsonObject | undefined {
  const body = Array.isArray(json) ? json[0] : json;
  if (!isObject(body)) return undefined;
  if (body.error) return body;
  return body.object === "error" || body.type === "error" ? { ...body, error: body } : undefined;
}
