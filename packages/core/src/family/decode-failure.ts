import { wordsOf } from "../ir/error-words.ts";
import { type Failure, type FailureKind, isErrorStatus, kindOfStatus, statusOfKind } from "../ir/failure.ts";
import type { Protocol } from "../ir/index.ts";
import { isObject, type Json, numberOf, textOf, toObject, toText } from "../json/json.ts";

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
    const status = [error.code, error.status, error.http_status, record.status]
      .map(numberOf)
      .find(isErrorStatus);
    if (status !== undefined) return decode(status, json);
    const words = `${toText(error.type)} ${toText(error.code)}`;
    const kind = kinds.find(([word]) => word.test(words))?.[1] ?? "server";
    return { ...decode(statusOfKind[kind], json), kind };
  };
  return { decode, readInBand };
}
