import type { AnyCaller, AnyProvider, Failure } from "@manifold-gateway/core";
import { parseJson, readFailure } from "@manifold-gateway/core/codec";
import { secretsOf } from "@manifold-gateway/providers";
import { Refusal } from "../http/refusal.ts";
import { errorSource } from "../http/source.ts";
import type { Answer, Context } from "../ports/context.ts";
import { traceHeaders } from "../routing/request-trace.ts";
import { hideTraces } from "./credential-traces.ts";
import { hideSecrets } from "./hide-secrets.ts";
import type { Answered, Plan } from "./stages.ts";

/** The protocols between which an error is converted. */
interface Conversion {
  /** The protocols of the upstream and of the caller. */
  from: AnyProvider;
  to: AnyCaller;
  /** The upstream is a platform with an error format of its own. */
  isForeign?: boolean;
}

/**
 * Settles a generation as failed, and converts the provider's error to the caller's protocol. If both sides speak the
 * same one, the body is forwarded.
 */
export async function answerRefusal<Of extends Plan>(
  { services }: Pick<Context<"limits">, "services">,
  { response, plan, generation, trace }: Answered<Of>,
  { from, to, isForeign }: Conversion,
): Promise<Answer> {
  const secrets = secretsOf(plan.endpoint.provider);
  let text = "";
  try {
    text = new TextDecoder().decode(await response.body.bytes(services.limits.answer));
  } catch {
    // Without a readable body, the status is the whole message.
  }
  const { status } = response;
  // Unescaped, since an escaped secret would not be recognized.
  if (/\\u[0-9a-f]{4}/i.test(text)) text = JSON.stringify(parseJson(text)) ?? text;
  text = hideSecrets(secrets)(text);
  // The provider refused our credential, and may repeat parts of it.
  if (status === 401 || status === 403) text = hideTraces(secrets)(text);
  await generation.settle("failed");
  const after = relayedPause(response.headers["retry-after"]);
  const failure = readFailure(from, status, text, response.headers);
  if (!failure)
    throw new Refusal(
      "provider_failed",
      `The provider failed with status ${status} and no readable reason.`,
      {
        headers: after === undefined ? {} : { "retry-after": after },
      },
    );
  const out = {
    ...errorSource.provider,
    ...traceHeaders(trace),
    ...(after === undefined ? pauseHeaders(failure) : { "retry-after": after }),
  };
  if (from.protocol === to.protocol && !isForeign && isBody(text))
    return { status, headers: out, body: text };
  return { status, headers: out, body: to.failure.encode(failure).body };
}

/** Checks whether a text is the body of an error, not a plain message. */
const isBody = (text: string): boolean => /^\s*[[{]/.test(text) && parseJson(text) !== undefined;

/** The longest pause that is forwarded, in seconds. A provider's mistake might otherwise stop a client for years. */
const LONGEST_PAUSE = 86_400;

/** A provider's `retry-after`, limited to a day; `undefined` if it is missing or invalid. */
function relayedPause(header: string | string[] | undefined): string | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) > LONGEST_PAUSE ? String(LONGEST_PAUSE) : text;
  const seconds = (Date.parse(text) - Date.now()) / 1_000;
  if (Number.isNaN(seconds)) return undefined;
  return seconds > LONGEST_PAUSE ? String(LONGEST_PAUSE) : text;
}

/** The pause that an error's body requests, rounded up to the whole seconds of the header. */
export const pauseHeaders = ({ retryAfter }: Failure): Record<string, string> =>
  retryAfter === undefined ? {} : { "retry-after": String(Math.min(LONGEST_PAUSE, Math.ceil(retryAfter))) };
