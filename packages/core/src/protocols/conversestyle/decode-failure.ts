import { wordsOf } from "../../ir/error-words.ts";
import { type Failure, type FailureKind, kindOfStatus, statusOfKind } from "../../ir/failure.ts";
import { isObject, type Json, lookup, textOf, toObject } from "../../json/json.ts";
import { findException, names } from "./failure.ts";

/** The kinds that exceptions name, whatever the status: a model's failure has that of a caller's mistake. */
const kinds: Record<string, FailureKind> = {
  ...(Object.fromEntries(Object.entries(names).map(([kind, name]) => [name, kind])) as Record<
    string,
    FailureKind
  >),
  expiredTokenException: "authentication",
  incompleteSignatureException: "authentication",
  invalidSignatureException: "authentication",
  missingAuthenticationTokenException: "authentication",
  serviceQuotaExceededException: "rate_limit",
  modelErrorException: "server",
  modelStreamErrorException: "server",
};

/** The name of an exception in a stream's spelling, without a namespace before it or an address behind it. */
function plainName(name: string): string {
  const bare = name.split("#").at(-1)?.split(":")[0] ?? "";
  return bare.charAt(0).toLowerCase() + bare.slice(1);
}

/** An error body, or the exception of a stream. Without a status the name decides. */
export function decodeFailure(status: number, body: Json | undefined): Failure {
  const [first] = Array.isArray(body) ? body : [body];
  const exception = first === undefined ? undefined : findException(first);
  const record = exception?.[1] ?? toObject(first);
  const name = exception?.[0] ?? textOf(record.__type) ?? textOf(record.code);
  const kind = name === undefined ? undefined : lookup(kinds, plainName(name));
  const known = status >= 400 ? status : statusOfKind[kind ?? "server"];
  const message = textOf(record.originalMessage) ?? wordsOf(exception?.[1] ?? first);
  return {
    kind: kind ?? kindOfStatus(known),
    status: known,
    message: message || `The provider returned status ${known}.`,
    ...(name !== undefined && { code: name }),
    ...(isObject(first) && { raw: { protocol: "conversestyle", value: first } }),
  };
}
