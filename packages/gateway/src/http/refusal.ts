import type { AnyCodec, Failure } from "@manifold-gateway/core";
import { isObject, type JsonObject, kindOfStatus } from "@manifold-gateway/core/codec";
import { type RefusalCode, statusOfCode } from "./codes.ts";

export interface RefusalOptions {
  headers?: Record<string, string>;
  /** The field that is to blame, where there is one. */
  param?: string;
  /** The status, where it differs from the code's own. */
  status?: number;
  /** More for the native error object of the surface. */
  details?: JsonObject;
  /** A provider's own error: the answer in place of the envelope. */
  body?: JsonObject;
}

/** A request that the service itself refuses: thrown before the first byte of an answer, written as the envelope. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly errors: string[];
  readonly options: RefusalOptions;
  constructor(code: RefusalCode, errors: string | string[], options: RefusalOptions = {}) {
    const list = (Array.isArray(errors) ? errors : [errors]).slice(0, 20).map((text) => clip(text, 1_000));
    super(list.join(" "));
    this.code = code;
    this.status = options.status ?? statusOfCode(code);
    this.errors = list;
    this.options = options;
  }
}

/**
 * The envelope of a refusal: `{ errors, status, success, path, timestamp, code }`. On a compatibility surface it also
 * carries that surface's own error object, so that SDKs which know no envelope still show the text.
 */
export function envelope(refusal: Refusal, path: string, now: number, codec?: AnyCodec): JsonObject {
  if (refusal.options.body) return refusal.options.body;
  const body: JsonObject = {
    errors: refusal.errors,
    status: refusal.status,
    success: false,
    path,
    timestamp: now,
    code: refusal.code,
  };
  if (!codec) return body;
  const pause = refusal.options.headers?.["retry-after"];
  const failure: Failure = {
    kind: kindOfStatus(refusal.status),
    status: refusal.status,
    message: refusal.message,
    code: refusal.code,
    ...(refusal.options.param !== undefined && { param: clip(refusal.options.param, 200) }),
    ...(pause !== undefined && { retryAfter: Number(pause) }),
  };
  const native = codec.failure.encode(failure).body;
  if (refusal.options.details && isObject(native.error)) native.error.details = refusal.options.details;
  return { ...native, ...body };
}

/** A text without its end where it is long: names and values of callers stand in it. */
const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** A caller's value as it may stand in an error text: short, on one line. */
export function quote(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const clean = text.replace(/[\x00-\x1f\x7f]/g, " ");
  return `'${clip(clean, 100)}'`;
}
