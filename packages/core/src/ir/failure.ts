import { isObject, type JsonObject, rest } from "../json/json.ts";
import type { Protocol } from "./part.ts";

/** The kinds of error an upstream answers with, whatever its wire calls them. */
export const failureKinds = [
  "invalid",
  "authentication",
  "payment",
  "permission",
  "not_found",
  "conflict",
  "too_large",
  "rate_limit",
  "server",
  "unavailable",
  "timeout",
  "overloaded",
  "cancelled",
] as const;
/** One of `failureKinds`: what went wrong, in words that no vendor's wire decides. */
export type FailureKind = (typeof failureKinds)[number];

/** An error from upstream, in the IR's kinds. The message is upstream's, to the letter. */
export interface Failure {
  /** The kind, from which each wire's own error type is made. */
  kind: FailureKind;
  /** The HTTP status that upstream gave, or that the kind stands for. */
  status: number;
  /** The vendor's sentence for people, unchanged. */
  message: string;
  /** The vendor's own code: `model_not_found`, `RESOURCE_EXHAUSTED`. */
  code?: string;
  /** The field that the vendor blames. */
  param?: string;
  /** Seconds to wait before a retry. */
  retryAfter?: number;
  /** The wire's own error object, for the protocol that said it. */
  raw?: { protocol: Protocol; value: JsonObject };
}

/** Members of an error object that every wire has. */
const commonFields = new Set(["message", "type", "code", "status", "param", "details"]);

/** The other members of an error of another wire: clients look for the vendor's own members. */
export function furtherFields({ raw, param, code }: Failure): JsonObject {
  const { error = raw?.value } = raw?.value ?? {};
  const errorFields = isObject(error) ? error : {};
  return {
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
    ...(Array.isArray(errorFields.details) && { details: errorFields.details }),
    ...rest(errorFields, commonFields),
  };
}

const kindByStatus: Record<number, FailureKind> = {
  400: "invalid",
  401: "authentication",
  402: "payment",
  403: "permission",
  404: "not_found",
  408: "timeout",
  409: "conflict",
  413: "too_large",
  424: "server",
  429: "rate_limit",
  499: "cancelled",
  500: "server",
  502: "unavailable",
  503: "unavailable",
  504: "timeout",
  529: "overloaded",
};

/** The kind of failure that an HTTP status stands for. */
export const kindOfStatus = (status: number): FailureKind =>
  kindByStatus[status] ?? (status >= 400 && status < 500 ? "invalid" : "server");

/** Checks whether a number is the HTTP status of an error. */
export const isErrorStatus = (value: number | undefined): value is number =>
  value !== undefined && Number.isInteger(value) && value >= 400 && value <= 599;

/** The HTTP status that a kind of failure stands for. */
export const statusOfKind: Record<FailureKind, number> = {
  invalid: 400,
  authentication: 401,
  payment: 402,
  permission: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limit: 429,
  server: 500,
  unavailable: 502,
  timeout: 504,
  overloaded: 529,
  cancelled: 499,
};

/** The failure of a stream that stops before its end: a cut connection must never look like an answer. */
export const truncated: Failure = {
  kind: "unavailable",
  status: 502,
  message: "The upstream stream ended before the reply was complete.",
};
