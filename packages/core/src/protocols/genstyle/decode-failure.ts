import { wordsOf } from "../../ir/error-words.ts";
import { type Failure, isErrorStatus, kindOfStatus, statusOfKind } from "../../ir/failure.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import { bodyOf, statusOf } from "./failure.ts";

/** An error inside a stream: its status is the one that it states. */
export function readInBand(body: JsonObject): Failure {
  const { code, status } = toObject(body.error);
  const httpStatus = [numberOf(code), statusOf(toText(status))].find(isErrorStatus);
  return decodeFailure(httpStatus ?? statusOfKind.server, body);
}

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
