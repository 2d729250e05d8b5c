import {
  isObject,
  type JsonObject,
  numberOf,
  parseObject,
  textOf,
  toArray,
  toObject,
} from "@manifold-gateway/core/codec";
import { secretsOf } from "../credentials.ts";
import type { Line, Trouble } from "./adapter.ts";
import type { Reply } from "./call.ts";

type Kind = Trouble["kind"];

/** The meanings of a wire's errors: that of the first matching code, otherwise that of the status. */
export interface TroubleTable {
  codes: readonly (readonly [code: RegExp, kind: Kind])[];
  statuses?: Readonly<Record<number, Kind>>;
}

/** The default meanings of statuses. Credentials and accounts are the operator's, never the caller's. */
const statuses: Readonly<Record<number, Kind>> = {
  401: "misconfigured",
  402: "misconfigured",
  403: "misconfigured",
  404: "misconfigured",
  408: "unavailable",
  410: "expired",
  425: "unavailable",
  429: "unavailable",
};

/** The messages that replace a provider's message about the operator. */
const serviceMessages: Partial<Record<Kind, string>> = {
  misconfigured: "The provider of this model is not set up for the request.",
};

/** An error, as a wire reports it. */
export interface WireError {
  code?: string | undefined;
  message?: string | undefined;
  status?: number | undefined;
  retryAfter?: number | undefined;
}

/** The meaning of an error for the work. */
export function toTrouble(table: TroubleTable, error: WireError, line: Pick<Line, "service">): Trouble {
  const { code, message, status, retryAfter } = error;
  const named = table.codes.find(([pattern]) => pattern.test(code ?? ""))?.[1];
  const kind = named ?? kindOfStatus(table, status);
  return {
    kind,
    message: serviceMessages[kind] ?? clean(message, secretsOf(line.service)),
    ...(code !== undefined && { code }),
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

function kindOfStatus({ statuses: wireStatuses = {} }: TroubleTable, status: number | undefined): Kind {
  if (status === undefined) return "unavailable";
  return (
    wireStatuses[status] ?? statuses[status] ?? (status >= 400 && status < 500 ? "refused" : "unavailable")
  );
}

/** The most characters read of a provider's message: some quote the whole prompt. */
const LONGEST_MESSAGE = 4096;

const hide = (text: string, secrets: readonly string[], mark: string): string =>
  secrets.reduce((hidden, secret) => (secret === "" ? hidden : hidden.replaceAll(secret, mark)), text);

/** Removes from a provider's message what callers must not see: secrets, addresses, the provider's request ids. */
function clean(message: string | undefined, secrets: readonly string[]): string {
  // Before the cut, which could leave a part of a secret.
  const bare = hide(message ?? "", secrets, "***")
    .slice(0, LONGEST_MESSAGE)
    .replace(/(?<!\s)\s*request[ _]?id\s*[:=]\s*[\w-]+\.?/gi, "")
    .replace(/https?:\/\/\S+/gi, "[link]")
    .trim();
  return bare.slice(0, 1000) || "The provider gave no reason.";
}

/** Reads the `{ error: { code, message, status } }` of most wires; a bare string is a message. */
export function errorOf(body: unknown): WireError {
  const { error } = toObject(body);
  if (typeof error === "string") return { message: error };
  const { code, type, status, message, details } = toObject(error);
  const number = numberOf(code);
  const name =
    textOf(code) ?? textOf(status) ?? textOf(type) ?? (number === undefined ? undefined : String(number));
  return { code: name, message: textOf(message), retryAfter: delayOf(details) };
}

/** Reads the wait that some wires put into an error's details: `{ retryDelay: "2.5s" }`. */
function delayOf(details: unknown): number | undefined {
  const delay = toArray(details).flatMap((detail) => textOf(toObject(detail).retryDelay) ?? [])[0];
  const seconds = /^(\d{1,6}(?:\.\d+)?)s$/.exec(delay ?? "")?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds), 3600) * 1000;
}

/** The trouble that a refused call reports. */
export function troubleOf(table: TroubleTable, { status, retryAfter, body }: Reply, line: Line): Trouble {
  const error = errorOf(body);
  const trouble = toTrouble(table, { ...error, status, retryAfter: retryAfter ?? error.retryAfter }, line);
  const kept = isObject(body) ? withoutSecrets(body, secretsOf(line.service)) : undefined;
  return kept ? { ...trouble, body: kept } : trouble;
}

/** The trouble of a body that is an error, whatever the status that it came with; undefined if it is none. */
export function troubleWithin(table: TroubleTable, { body }: Reply, line: Line): Trouble | undefined {
  const { error } = toObject(body);
  if (!error) return undefined;
  const code = numberOf(toObject(error).code) ?? 0;
  return troubleOf(table, { status: code >= 400 && code < 600 ? code : 502, body: body as JsonObject }, line);
}

/** The most characters kept of a provider's answer that refuses work. */
const LONGEST_BODY = 16 * 1024;

function withoutSecrets(body: JsonObject, secrets: readonly string[]): JsonObject | undefined {
  const spelled = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString("base64")]);
  const text = hide(JSON.stringify(body), spelled, "[redacted]");
  return text.length > LONGEST_BODY ? undefined : parseObject(text);
}

/** A failure that is found without a call. */
export const refuse = (message: string): { state: "failed"; trouble: Trouble } => ({
  state: "failed",
  trouble: { kind: "refused", message },
});
