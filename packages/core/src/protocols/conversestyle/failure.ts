import type { FailureKind } from "../../ir/failure.ts";
import { isObject, type Json, type JsonObject, textOf } from "../../json/json.ts";

/** The exceptions of the wire, by the kind that we write them for. */
export const names: Record<FailureKind, string> = {
  invalid: "validationException",
  authentication: "unrecognizedClientException",
  payment: "paymentRequiredException",
  permission: "accessDeniedException",
  not_found: "resourceNotFoundException",
  conflict: "conflictException",
  too_large: "requestEntityTooLargeException",
  rate_limit: "throttlingException",
  server: "internalServerException",
  unavailable: "serviceUnavailableException",
  timeout: "modelTimeoutException",
  overloaded: "modelNotReadyException",
  cancelled: "requestCancelledException",
};

/** The exception that a chunk or a body holds as a member; nothing where it holds none. */
export function findException(json: Json): [name: string, record: JsonObject] | undefined {
  if (!isObject(json)) return undefined;
  const found = Object.entries(json).find(([name, value]) => /Exception$/.test(name) && isObject(value));
  return found as [string, JsonObject] | undefined;
}

/** Checks whether a body is an error: an exception by its member or its type, or a message alone. */
export const isFailure = (body: JsonObject): boolean =>
  findException(body) !== undefined ||
  textOf(body.__type) !== undefined ||
  (body.output === undefined && (textOf(body.message) ?? textOf(body.Message)) !== undefined);
