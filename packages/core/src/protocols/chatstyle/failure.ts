import { defineFailures, writeError } from "../../family/failure.ts";
import type { Failure } from "../../ir/failure.ts";
import { isObject, type Json, type JsonObject } from "../../json/json.ts";

export const { decode: decodeFailure, readInBand } = defineFailures("chatstyle");

/** The error that a body or a chunk holds; nothing where it holds none. */
export function findError(json: Json | undefined): JsonObject | undefined {
  const body = Array.isArray(json) ? json[0] : json;
  if (!isObject(body)) return undefined;
  if (body.error) return body;
  return body.object === "error" || body.type === "error" ? { ...body, error: body } : undefined;
}

/** An error inside a stream. Its code is the status: some clients take no other. */
export function failureChunk(failure: Failure): { error: JsonObject } {
  const { error } = encodeFailure(failure).body as { error: JsonObject };
  return { error: { ...error, code: failure.status } };
}

export function encodeFailure(failure: Failure): { status: number; body: JsonObject } {
  const { status, raw } = failure;
  const isSameProtocol = raw?.protocol === "chatstyle" && isObject(raw.value.error);
  return { status, body: isSameProtocol ? raw.value : writeError(failure) };
}
