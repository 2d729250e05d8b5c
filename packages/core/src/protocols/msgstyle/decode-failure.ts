import { wordsOf } from "../../ir/error-words.ts";
import { type Failure, type FailureKind, kindOfStatus, statusOfKind } from "../../ir/failure.ts";
import { isObject, type Json, textOf } from "../../json/json.ts";
import { types } from "./failure.ts";

/** The kinds that a type names by itself; `api_error` only says that it was not the caller's fault. */
const kinds = new Map<string, FailureKind>(
  Object.entries(types).flatMap(([kind, type]) =>
    type === "api_error" ? [] : [[type, kind as FailureKind] as const],
  ),
);

/** An error body, in any of the spellings that servers of this wire use. Without a status the type decides. */
export function decodeFailure(status: number, body: Json | undefined): Failure {
  const [first] = Array.isArray(body) ? body : [body];
  const error = isObject(first) ? (first.error ?? first) : first;
  const record = isObject(error) ? error : {};
  const type = textOf(record.type);
  const named = type === undefined ? undefined : kinds.get(type);
  const known = status >= 400 ? status : statusOfKind[named ?? "server"];
  const message = wordsOf(first);
  return {
    kind: named ?? kindOfStatus(known),
    status: known,
    message: message || `The provider returned status ${known}.`,
    ...(type !== undefined && type !== "error" && { code: type }),
    ...(isObject(first) && { raw: { protocol: "msgstyle", value: first } }),
  };
}
