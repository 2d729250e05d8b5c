import { type Failure, furtherFields } from "../../ir/failure.ts";
import { isObject, type JsonObject } from "../../json/json.ts";
import { types } from "./failure.ts";
import type { Chunk, ErrorType } from "./schema.ts";

/** The error's own object where it was said on this wire, and in this wire's form. */
const originalError = ({ raw }: Failure): JsonObject | undefined =>
  raw?.protocol === "msgstyle" && raw.value.type === "error" && isObject(raw.value.error)
    ? raw.value
    : undefined;

const errorOf = (failure: Failure): { type: ErrorType; message: string } => ({
  ...furtherFields(failure),
  type: types[failure.kind],
  message: failure.message,
});

export function encodeFailure(failure: Failure): { status: number; body: JsonObject } {
  const body = originalError(failure) ?? { type: "error", error: errorOf(failure), request_id: null };
  return { status: failure.status, body };
}

/** The chunk that an error inside a stream is. */
export const failureChunk = (failure: Failure): Chunk =>
  (originalError(failure) as Chunk | undefined) ?? { type: "error", error: errorOf(failure) };
