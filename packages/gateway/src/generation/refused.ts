import type { AnyCodec, Failure } from "@manifold-gateway/core";
import { kindOfStatus, parseJson } from "@manifold-gateway/core/codec";
import type { UpstreamResponse } from "@manifold-gateway/providers";
import { Refusal } from "../http/refusal.ts";
import { errorSource } from "../http/source.ts";
import type { Answer } from "../ports/context.ts";
import { hideSecrets } from "../text/secret.ts";
import { hideTraces } from "../text/traces.ts";

export interface RefusedOptions {
  /** The most bytes of the body. */
  limit: number;
  /** The upstream's protocol and the caller's. */
  from: AnyCodec;
  to: AnyCodec;
  /** The upstream is a platform, whose errors have a form of their own. */
  isForeign?: boolean;
  settle(): Promise<void>;
  /** Called once it is settled. */
  headers(): Record<string, string>;
  /** Secrets of ours that a provider might repeat and that must not reach a caller. */
  secrets?: readonly string[];
}

/** An upstream error: as it came where both sides speak one protocol, else in the caller's shape. */
export async function refused(
  response: UpstreamResponse,
  { limit, from, to, settle, headers, isForeign, secrets = [] }: RefusedOptions,
): Promise<Answer> {
  let text = "";
  try {
    text = new TextDecoder().decode(await response.body.bytes(limit));
  } catch {
    // A body that cannot be read leaves the status to speak for itself.
  }
  const { status } = response;
  // Escaped characters would be another spelling yet.
  if (/\\u[0-9a-f]{4}/i.test(text)) text = JSON.stringify(parseJson(text)) ?? text;
  text = hideSecrets(secrets)(text);
  // It is our credential that is refused: a provider may repeat parts of it.
  if (status === 401 || status === 403) text = hideTraces(secrets)(text);
  await settle();
  const after = response.headers["retry-after"];
  const body = parseJson(text);
  const isWire = typeof body === "object" && body !== null;
  const message = isWire ? "" : wordsOf(text);
  if (message === undefined)
    throw new Refusal(
      "provider_failed",
      `The provider failed with status ${status} and no readable reason.`,
      {
        headers: after === undefined ? {} : { "retry-after": String(after) },
      },
    );
  const failure = isWire
    ? from.failure.decode(status, body)
    : { kind: kindOfStatus(status), status, message };
  const out = {
    ...errorSource.provider,
    ...headers(),
    ...(after === undefined ? pauseHeaders(failure) : { "retry-after": String(after) }),
  };
  if (from === to && isWire && !isForeign) return { status, headers: out, body: text };
  return { status, headers: out, body: to.failure.encode(failure).body };
}

/** The most of a plain reason that is handed on, in characters. */
const ENOUGH = 500;
const CONTROL = /[\p{Cc}\ufffd]/u;

/** A reason in plain words; nothing where it is none, or markup of a proxy in between: not the provider's words. */
function wordsOf(text: string): string | undefined {
  const words = text.trim().replace(/\s+/g, " ").slice(0, ENOUGH);
  return words === "" || words.startsWith("<") || CONTROL.test(words) ? undefined : words;
}

/** The pause that an error asks for in its body, in the whole seconds that the header knows. */
export const pauseHeaders = ({ retryAfter }: Failure): Record<string, string> =>
  retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(retryAfter)) };
