import { wordsOf } from "../../ir/error-words.ts";
import {
  type Failure,
  type FailureKind,
  furtherFields,
  kindOfStatus,
  statusOfKind,
} from "../../ir/failure.ts";
import { isObject, type Json, type JsonObject, textOf } from "../../json/json.ts";
import type { Chunk, ErrorType } from "./schema.ts";

const types: Record<FailureKind, ErrorType> = {
  invalid: "invalid_request_error",
  authentication: "authentication_error",
  payment: "billing_error",
  permission: "permission_error",
  not_found: "not_found_error",
  conflict: "conflict_error",
  too_large: "request_too_large",
  rate_limit: "rate_limit_error",
  server: "api_error",
  unavailable: "api_error",
  timeout: "timeout_error",
  overloaded: "overloaded_error",
  cancelled: "api_error",
};

/** The kinds that a type names by itself; `api_error` only says that it was not the caller's fault. */
const kinds = new Map<string, FailureKind>(
  Object.entries(types).flatMap(([kind, type]) =>
    type === "api_error" ? [] : [[type, kind as FailureKind] as const],
  ),
);

/** An error body, in any of the spellings that servers of this wire use. Without a status the type decides. */
export function decodeFailure(status: number, body: Json | undefined): Failure {
  const [first] = Array.isArray(body) ? body : [body];
  const error = isObject(first) ? (first.error ?? first) : first;
  const record = isObject(error) ? error : {};
  const type = textOf(record.type);
  const named = type === undefined ? undefined : kinds.get(type);
  const known = status >= 400 ? status : statusOfKind[named ?? "server"];
  const message = wordsOf(first);
  return {
    kind: named ?? kindOfStatus(known),
    status: known,
    message: message || `The provider returned status ${known}.`,
    ...(type !== undefined && type !== "error" && { code: type }),
    ...(isObject(first) && { raw: { protocol: "msgstyle", value: first } }),
  };
}

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
