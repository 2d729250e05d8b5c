import { wordsOf } from "../../ir/error-words.ts";
import { type Failure, kindOfStatus } from "../../ir/failure.ts";
import { isObject, type Json, textOf, toObject } from "../../json/json.ts";

/** An error of this wire: a text or an object under `error`, or the service's own list of errors. */
export function decodeFailure(status: number, body: Json | undefined): Failure {
  const record = toObject(body);
  const error = toObject(record.error);
  const message = wordsOf(body);
  const code = textOf(error.code);
  return {
    kind: kindOfStatus(status),
    status,
    message: message || `The provider returned status ${status} and no message.`,
    ...(code && { code }),
    ...(isObject(body) && { raw: { protocol: "native", value: body } }),
  };
}
