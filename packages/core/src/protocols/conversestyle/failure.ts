import { wordsOf } from "../../ir/error-words.ts";
import {
  type Failure,
  type FailureKind,
  furtherFields,
  kindOfStatus,
  statusOfKind,
} from "../../ir/failure.ts";
import { isObject, type Json, type JsonObject, lookup, textOf, toObject } from "../../json/json.ts";
import type { Chunk } from "./schema.ts";

/** The exceptions of the wire, by the kind that we write them for. */
const names: Record<FailureKind, string> = {
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

const isOfProtocol = ({ raw }: Failure): boolean => raw?.protocol === "conversestyle" && isFailure(raw.value);

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export function encodeFailure(failure: Failure): { status: number; body: JsonObject } {
  const { kind, status, message, raw } = failure;
  if (isOfProtocol(failure) && raw) return { status, body: raw.value };
  return { status, body: { ...furtherFields(failure), __type: capital(names[kind]), message } };
}

/** The chunk that an error inside a stream is. */
export function failureChunk(failure: Failure): Chunk {
  const { kind, message, raw } = failure;
  if (isOfProtocol(failure) && raw && findException(raw.value)) return raw.value as Chunk;
  return { [names[kind]]: { ...furtherFields(failure), message } };
}
