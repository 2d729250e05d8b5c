import {
  type Failure,
  type FailureKind,
  furtherFields,
  isErrorStatus,
  statusOfKind,
} from "../../ir/failure.ts";
import { isObject, type JsonObject } from "../../json/json.ts";
import { statusOf } from "./failure.ts";
import type { ErrorBody } from "./schema.ts";

const words: Record<FailureKind, string> = {
  invalid: "INVALID_ARGUMENT",
  authentication: "UNAUTHENTICATED",
  payment: "FAILED_PRECONDITION",
  permission: "PERMISSION_DENIED",
  not_found: "NOT_FOUND",
  conflict: "ABORTED",
  too_large: "INVALID_ARGUMENT",
  rate_limit: "RESOURCE_EXHAUSTED",
  server: "INTERNAL",
  unavailable: "UNAVAILABLE",
  timeout: "DEADLINE_EXCEEDED",
  overloaded: "UNAVAILABLE",
  cancelled: "CANCELLED",
};

/** Statuses that have a word of their own beside that of their kind. */
const exact: Record<number, string> = { 501: "UNIMPLEMENTED" };

export function encodeFailure(failure: Failure): { status: number; body: JsonObject } {
  const { status, raw } = failure;
  if (raw?.protocol === "genstyle" && isObject(raw.value.error)) return { status, body: raw.value };
  return { status, body: { ...writeFailure(failure) } };
}

/** Clients raise errors by the HTTP status in `code`, and read the time of a retry from the details. */
export function writeFailure(failure: Failure): ErrorBody {
  const { kind, status, message, code, retryAfter } = failure;
  const word = code !== undefined && statusOf(code) !== undefined ? code : (exact[status] ?? words[kind]);
  const error: ErrorBody["error"] = {
    ...furtherFields(failure),
    code: isErrorStatus(status) ? status : statusOfKind[kind],
    message,
    status: word,
  };
  if (retryAfter !== undefined)
    error.details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${retryAfter}s` }];
  return { error };
}
