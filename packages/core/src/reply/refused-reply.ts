import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import type { Failure } from "../ir/failure.ts";
import { parseJson, toJsonText } from "../json/json.ts";
import { MalformedReply } from "../stream/malformed-reply.ts";
import { readFailure } from "../translate/read-failure.ts";
import { hideTraces } from "./credential-traces.ts";
import { hideSecrets } from "./hide-secrets.ts";
import type { RefusalOptions, ReplyHeaders, WholeReply } from "./reply.ts";

/** An answer of a provider with an error status. */
export interface RefusedReply {
  /** The HTTP status, from 400 up. */
  status: number;
  /** Those of the answer: `retry-after` is read and passed on. */
  headers: ReplyHeaders;
  /** The whole body. */
  bytes: Uint8Array;
}

const none = (): readonly string[] => [];

/** An error status of a provider that gives no reason, or one that only a proxy gives. */
export class NoReason extends MalformedReply {
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The pause that it requests. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, headers: Readonly<Record<string, string>>) {
    super(`The provider failed with status ${status} and no readable reason.`);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Converts a provider's error to the caller's protocol, without the provider's credentials. If both sides speak the same
 * one, its body is relayed. Throws `NoReason` if it gives no reason.
 */
export function convertRefusal(
  { status, headers, bytes }: RefusedReply,
  from: Pick<AnyProvider, "protocol" | "failure">,
  to: Pick<AnyCaller, "protocol" | "failure">,
  { secrets: list = none, now, foreignErrors }: RefusalOptions,
): { failure: Failure; whole: WholeReply } {
  const text = hideCredentials(new TextDecoder().decode(bytes), status, list());
  const pause = relayedPause(headers["retry-after"], now);
  const relayed: Record<string, string> = pause === undefined ? {} : { "retry-after": pause };
  const failure = readFailure(from, status, text, headers);
  if (!failure) throw new NoReason(status, relayed);
  const out = pause === undefined ? pauseHeaders(failure) : relayed;
  const isRelayed = from.protocol === to.protocol && !foreignErrors && isBody(text);
  const body = isRelayed ? text : to.failure.encode(failure).body;
  return { failure, whole: { status, headers: out, body } };
}

/** The longest body, in characters, that is searched for parts of credentials: each of them is compared. */
const LONGEST_SEARCHED = 256 * 1024;

/**
 * Removes credentials from the body of an error. Nothing is left of one whose escapes cannot be read, or that is too long
 * to be searched.
 */
export function hideCredentials(body: string, status: number, secrets: readonly string[]): string {
  // Unescaped, since an escaped secret would not be recognized.
  const isEscaped = /\\u[0-9a-f]{4}/i.test(body);
  const parsed = isEscaped ? parseJson(body) : undefined;
  const text = hideSecrets(secrets)(parsed === undefined ? body : toJsonText(parsed));
  // The provider refused our credential, and may repeat parts of it.
  if (status !== 401 && status !== 403) return text;
  return text.length > LONGEST_SEARCHED ? "" : hideTraces(secrets)(text);
}

/** Checks whether a text is the body of an error, not a plain message. */
const isBody = (text: string): boolean => /^\s*[[{]/.test(text) && parseJson(text) !== undefined;

/** The longest pause that is forwarded, in seconds. A provider's mistake might otherwise stop a client for years. */
const MAX_PAUSE = 86_400;

/** A provider's `retry-after`, limited to a day; `undefined` if it is missing or invalid. */
function relayedPause(
  header: string | readonly string[] | undefined,
  now: number | undefined,
): string | undefined {
  const text = (typeof header === "string" ? header : header?.[0])?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) > MAX_PAUSE ? String(MAX_PAUSE) : text;
  const seconds = (Date.parse(text) - (now ?? Number.NaN)) / 1_000;
  if (Number.isNaN(seconds)) return undefined;
  return seconds > MAX_PAUSE ? String(MAX_PAUSE) : text;
}

/** The pause that an error's body requests, rounded up to the whole seconds of the header. */
export const pauseHeaders = ({ retryAfter }: Failure): Record<string, string> =>
  retryAfter === undefined ? {} : { "retry-after": String(Math.min(MAX_PAUSE, Math.ceil(retryAfter))) };
