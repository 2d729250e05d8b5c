import { writeError } from "../../family/encode-failure.ts";
import type { Failure } from "../../ir/failure.ts";
import { isObject, type JsonObject } from "../../json/json.ts";

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
