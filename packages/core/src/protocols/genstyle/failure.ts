import { wordsOf } from "../../ir/error-words.ts";
import {
  type Failure,
  type FailureKind,
  furtherFields,
  kindOfStatus,
  statusOfKind,
} from "../../ir/failure.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  lookup,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import type { ErrorBody } from "./schema.ts";

/** HTTP statuses of the words that an error's `status` holds. */
const statuses: Record<string, number> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ABORTED: 409,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNKNOWN: 500,
  DATA_LOSS: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

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

const isStatus = (value: number | undefined): value is number =>
  value !== undefined && Number.isInteger(value) && value >= 400 && value <= 599;

/** The endpoint that streams without events answers with a list of one. */
const bodyOf = (json: Json | undefined): JsonObject => toObject(Array.isArray(json) ? json[0] : json);

/** The error that a chunk holds; nothing where it holds none. */
export function findError(json: Json): JsonObject | undefined {
  const body = bodyOf(json);
  return body.error ? body : undefined;
}

/** An error inside a stream: its status is the one that it states. */
export function readInBand(body: JsonObject): Failure {
  const { code, status } = toObject(body.error);
  const httpStatus = [numberOf(code), statusOf(toText(status))].find(isStatus);
  return decodeFailure(httpStatus ?? statusOfKind.server, body);
}

const statusOf = (word: string): number | undefined => lookup(statuses, word);

export function decodeFailure(status: number, json: Json | undefined): Failure {
  const body = bodyOf(json);
  const error = isObject(body.error) ? body.error : body;
  const message = wordsOf(json) || `The provider returned status ${status} and no message.`;
  const code = textOf(error.status) ?? (typeof error.code === "string" ? error.code : undefined);
  const details = toArray(error.details).map(toObject);
  const retryAfter = details.map((detail) => secondsOf(detail.retryDelay)).find((s) => s !== undefined);
  // A wrong key is reported as an invalid argument.
  const keyed = details.some((detail) => detail.reason === "API_KEY_INVALID");
  return {
    kind: keyed ? "authentication" : kindOfStatus(status),
    status,
    message,
    ...(code && { code }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(Object.keys(body).length > 0 && { raw: { protocol: "genstyle", value: body } }),
  };
}

/** Seconds of a duration: `17s`, `0.5s`, or `{seconds, nanos}`. */
function secondsOf(value: Json | undefined): number | undefined {
  const seconds = isObject(value)
    ? Number(value.seconds ?? 0) + (numberOf(value.nanos) ?? 0) / 1e9
    : Number(/^(\d+(?:\.\d+)?)s$/.exec(toText(value))?.[1]);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

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
    code: isStatus(status) ? status : statusOfKind[kind],
    message,
    status: word,
  };
  if (retryAfter !== undefined)
    error.details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${retryAfter}s` }];
  return { error };
}
