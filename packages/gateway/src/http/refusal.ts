import type { AnyCodec, Failure } from "@manifold-gateway/core";
import { isObject, type JsonObject, kindOfStatus } from "@manifold-gateway/core/codec";
import { type FieldFault, joinTexts, MAX_FAULTS } from "@manifold-gateway/core/plan";
import type { Caller } from "../ports/access.ts";
import { type RefusalCode, statusOfCode } from "./codes.ts";

/** What a refusal adds to its code and sentences. */
export interface RefusalOptions {
  /** Headers of the answer, such as `retry-after`. */
  headers?: Record<string, string>;
  /** The faulty field, if there is one. */
  param?: string;
  /** What is wrong with each field, if there are several or they are in others. Default: `param`, and the sentence. */
  fields?: readonly FieldFault[];
  /** The status, if it differs from the code's default. */
  status?: number;
  /** Further members of the surface's native error object. */
  details?: JsonObject;
  /** The caller who was not admitted, for records: nothing of it is sent. */
  caller?: Pick<Caller, "accountId" | "keyId">;
  /** A provider's error, which is sent instead of the envelope. */
  body?: JsonObject;
}

/** A refusal by the service itself: thrown before the first byte of an answer, and sent as the envelope. */
export class Refusal extends Error {
  /** The stable code that programs read: `model_not_found`. */
  readonly code: RefusalCode;
  /** The HTTP status: the code's own, unless the options have another. */
  readonly status: number;
  /** Sentences for people, each at most 1,000 characters; at most 20. */
  readonly errors: string[];
  /** What was added to code and sentences. */
  readonly options: RefusalOptions;
  constructor(code: RefusalCode, errors: string | string[], options: RefusalOptions = {}) {
    const list = (Array.isArray(errors) ? errors : [errors]).slice(0, 20).map((text) => clip(text, 1_000));
    super(joinTexts(list));
    this.code = code;
    this.status = options.status ?? statusOfCode(code);
    this.errors = list;
    this.options = options;
  }
}

/** The field of the body that the first sentence about it is of: `contents` of `contents.0.parts: …`. */
export const paramOf = ([first = ""]: readonly string[]): string => /^[^.:]+/.exec(first)?.[0] ?? "body";

/** The faulty fields of a request, as the envelope has them. */
function fieldsOf({ errors, options: { fields, param } }: Refusal): JsonObject[] {
  const [text = ""] = errors;
  const named = param === undefined ? [] : [{ path: [param], text: text.replace(`${param}: `, "") }];
  return (fields ?? named).slice(0, MAX_FAULTS).map(({ path, text }) => ({
    path: path.map((step) => (typeof step === "number" ? step : clip(String(step), 200))),
    text: clip(text, 1_000),
  }));
}

/**
 * The envelope of a refusal: `{ errors, status, success, path, timestamp, code, fields }`. On a compatibility surface it
 * has that surface's error object in place of `fields`, so that SDKs that do not know the envelope show the text.
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
  if (!codec) {
    const fields = fieldsOf(refusal);
    return fields.length > 0 ? { ...body, fields } : body;
  }
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

/** Cuts a text that is too long, since it may contain names and values of callers. */
const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** A caller's value in an error text: short, and on one line. */
export function quote(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const clean = text.replace(/[\x00-\x1f\x7f]/g, " ");
  return `'${clip(clean, 100)}'`;
}
