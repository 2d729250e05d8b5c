import type { Failure } from "@manifold-gateway/core";
import {
  isObject,
  type JsonObject,
  parseJson,
  textOf,
  toJsonText,
  toObject,
  truncated,
} from "@manifold-gateway/core/codec";
import { hideCredentials } from "@manifold-gateway/core/reply";
import { type Provider, secretsOf } from "@manifold-gateway/providers";
import type { ProviderError } from "@manifold-gateway/store";
import type { RequestTrace } from "../routing/request-trace.ts";

type Noted = Pick<RequestTrace, "attempts" | "errors">;

/** The bytes read of a body: a credential across the end of what is kept is whole in them. */
const READ = 16 * 1024;

/** Adds a provider's error to those that the record gets. */
export function noteError(trace: Noted, error: Promise<ProviderError | undefined>): void {
  trace.errors ??= [];
  trace.errors.push(error);
}

/** Adds the body of the error that the last attempt got. */
export function noteRefusal(trace: Noted, status: number, body: Uint8Array, provider: Provider): void {
  const attempt = trace.attempts.length - 1;
  noteError(trace, Promise.resolve(readProviderError({ attempt, status, body }, provider)));
}

/** Adds a failure that the last attempt's answer reports, after a head that promised success. */
export function noteFailure(trace: Noted, failure: Failure, provider: Provider): void {
  // A reply that broke off has no words of its provider.
  if (failure.message === truncated.message) return;
  const value = failure.raw?.value ?? { error: { code: failure.code, message: failure.message } };
  noteRefusal(trace, failure.status, new TextEncoder().encode(toJsonText(value)), provider);
}

/** Adds the text that the last attempt got in place of a reply, which has no credentials. */
export const noteText = (trace: Noted, body: string): void =>
  noteError(trace, Promise.resolve({ attempt: trace.attempts.length - 1, body }));

interface ErrorBody {
  /** The position of the attempt. */
  attempt: number;
  status?: number | undefined;
  body: Uint8Array;
}

/** Reads a provider's error for the record, without its credentials. Undefined without a body. */
export function readProviderError(
  { attempt, status = 0, body }: ErrorBody,
  provider: Provider,
): ProviderError | undefined {
  const text = new TextDecoder().decode(body.subarray(0, READ)).trim();
  if (text === "") return undefined;
  const hidden = hideCredentials(text, status, secretsOf(provider));
  return { attempt, ...wordsOf(hidden), body: hidden };
}

/** The code, the type and the sentence in a body, wherever vendors write them. */
export function wordsOf(body: string): Pick<ProviderError, "code" | "type" | "message"> {
  const parsed = parseJson(body);
  const [first] = Array.isArray(parsed) ? parsed : [parsed];
  const whole = toObject(first);
  const error: JsonObject = isObject(whole.error) ? whole.error : whole;
  const code = [error.code, error.status, error.name].map(textOf).find(isName);
  const type = [error.type, error.__type].map(textOf).find(isName);
  const message = [error.message, whole.message, whole.error, whole.detail].map(textOf).find(isName);
  return {
    ...(code !== undefined && { code }),
    ...(type !== undefined && { type }),
    ...(message !== undefined && { message }),
  };
}

const isName = (text: string | undefined): text is string => text !== undefined && text !== "";
