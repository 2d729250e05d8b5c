import { type Failure, type FailureKind, kindOfStatus, statusOfKind } from "../../failure.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json.ts";

/** What the kinds are called in an error's `type`. */
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

/** Words of servers in `type` or `code`, for errors that come without a status of their own. */
const kinds: [word: RegExp, kind: FailureKind][] = [
  [/rate_?limit|too_many_requests/i, "rate_limit"],
  [/quota|billing|payment/i, "payment"],
  [/authenticat|api_key/i, "authentication"],
  [/permission|forbidden/i, "permission"],
  [/not_found/i, "not_found"],
  [/overload|capacity/i, "overloaded"],
  [/timeout|timed_out/i, "timeout"],
  [/unavailable/i, "unavailable"],
  [/invalid|context_length|bad_request/i, "invalid"],
];

const isStatus = (value: number | undefined): value is number =>
  value !== undefined && value >= 400 && value <= 599 && Number.isInteger(value);

/** The error that a body or a chunk holds; nothing where it holds none. */
export function findError(json: Json | undefined): JsonObject | undefined {
  const body = Array.isArray(json) ? json[0] : json;
  if (!isObject(body)) return undefined;
  if (body.error) return body;
  return body.object === "error" || body.type === "error" ? { ...body, error: body } : undefined;
}

/** An error inside a stream: its status is what it says of itself. */
export function readInBand(body: JsonObject): Failure {
  const error = toObject(body.error);
  const status = [error.code, error.status, error.http_status].map(numberOf).find(isStatus);
  if (status !== undefined) return decodeFailure(status, body);
  const words = `${toText(error.type)} ${toText(error.code)}`;
  const kind = kinds.find(([word]) => word.test(words))?.[1] ?? "server";
  return { ...decodeFailure(statusOfKind[kind], body), kind };
}

/** An answer other than success, in any of the shapes that servers of this wire give it. */
export function decodeFailure(status: number, json: Json | undefined): Failure {
  const body = Array.isArray(json) ? json[0] : json;
  const record = toObject(body);
  const error = isObject(record.error) ? record.error : record;
  const message =
    [error.message, record.error, record.detail, toArray(record.errors)[0], body]
      .map(readMessage)
      .find(Boolean) ?? `The upstream answered with status ${status} and no message.`;
  const code = typeof error.code === "number" ? String(error.code) : textOf(error.code);
  const param = textOf(error.param);
  return {
    kind: kindOfStatus(status),
    status,
    message,
    ...(code && { code }),
    ...(param && { param }),
    ...(isObject(body) && { raw: { protocol: "chatstyle", value: body } }),
  };
}

/** A message, or the first of a list of findings. */
function readMessage(value: Json | undefined): string {
  if (typeof value === "string") return value.trim().slice(0, 2000);
  const first = toObject(toArray(value)[0]);
  return toText(first.msg) || toText(first.message);
}

export function encodeFailure(failure: Failure): { status: number; body: JsonObject } {
  const { kind, status, message, code, param, raw } = failure;
  if (raw?.protocol === "chatstyle" && isObject(raw.value.error)) return { status, body: raw.value };
  const type = types[kind];
  return { status, body: { error: { message, type, param: param ?? null, code: code ?? null } } };
}
