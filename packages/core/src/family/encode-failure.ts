import { isContextOverflow } from "../ir/context-overflow.ts";
import { type Failure, type FailureKind, furtherFields } from "../ir/failure.ts";
import type { JsonObject } from "../json/json.ts";

/** The names of the kinds in an error's `type`. */
const types: Record<FailureKind, string> = {
  invalid: "invalid_request_error",
  authentication: "authentication_error",
  payment: "insufficient_quota",
  permission: "permission_error",
  not_found: "invalid_request_error",
  conflict: "conflict_error",
  too_large: "invalid_request_error",
  rate_limit: "rate_limit_error",
  server: "server_error",
  unavailable: "server_error",
  timeout: "server_error",
  overloaded: "server_error",
  cancelled: "server_error",
};

/** A failure of another wire as an error body of this family. */
export function writeError(failure: Failure): JsonObject {
  const { message, kind, param } = failure;
  const error = { message, type: types[kind], param: param ?? null, code: namedCode(failure) ?? null };
  return { error: { ...furtherFields(failure), ...error } };
}

/** The code of an error inside a stream. */
export const codeOf = (failure: Failure): string =>
  namedCode(failure) ?? (failure.kind === "rate_limit" ? "rate_limit_exceeded" : types[failure.kind]);

/** The provider's code, or the one by which clients of this family notice that their conversation is too long. */
const namedCode = (failure: Failure): string | undefined =>
  isContextOverflow(failure) ? "context_length_exceeded" : failure.code;
