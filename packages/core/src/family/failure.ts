import { wordsOf } from "../ir/error-words.ts";
import { type Failure, type FailureKind, furtherFields, kindOfStatus, statusOfKind } from "../ir/failure.ts";
import type { Protocol } from "../ir/index.ts";
import { isObject, type Json, type JsonObject, numberOf, textOf, toObject, toText } from "../json/json.ts";

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
  [/cancel/i, "cancelled"],
  [/invalid|context_length|bad_request|policy|image|prompt/i, "invalid"],
];

const isStatus = (value: number | undefined): value is number =>
  value !== undefined && value >= 400 && value <= 599 && Number.isInteger(value);

/** The readers of errors that servers of a wire give, whatever shape they give them. */
export function defineFailures(protocol: Protocol): {
  /** An answer other than success. */
  decode(status: number, json: Json | undefined): Failure;
  /** An error inside a reply: nested, flat or a mere text. Its status is what it says of itself. */
  readInBand(json: Json | undefined): Failure;
} {
  const decode = (status: number, json: Json | undefined): Failure => {
    const body = Array.isArray(json) ? json[0] : json;
    const record = toObject(body);
    const error = isObject(record.error) ? record.error : record;
    const message = wordsOf(body) || `The provider returned status ${status} and no message.`;
    const code = typeof error.code === "number" ? String(error.code) : textOf(error.code);
    const param = textOf(error.param);
    return {
      kind: kindOfStatus(status),
      status,
      message,
      ...(code && { code }),
      ...(param && { param }),
      ...(isObject(body) && { raw: { protocol, value: body } }),
    };
  };
  const readInBand = (json: Json | undefined): Failure => {
    const record = toObject(json);
    const error = isObject(record.error) ? record.error : record;
    const status = [error.code, error.status, error.http_status, record.status].map(numberOf).find(isStatus);
    if (status !== undefined) return decode(status, json);
    const words = `${toText(error.type)} ${toText(error.code)}`;
    const kind = kinds.find(([word]) => word.test(words))?.[1] ?? "server";
    return { ...decode(statusOfKind[kind], json), kind };
  };
  return { decode, readInBand };
}

/** A failure of another wire as an error body of this family. */
export function writeError(failure: Failure): JsonObject {
  const { message, kind, param, code } = failure;
  const error = { message, type: types[kind], param: param ?? null, code: code ?? null };
  return { error: { ...furtherFields(failure), ...error } };
}

/** The code of an error inside a stream. */
export const codeOf = ({ code, kind }: Failure): string =>
  code ?? (kind === "rate_limit" ? "rate_limit_exceeded" : types[kind]);
