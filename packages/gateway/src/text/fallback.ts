import { parseJson } from "@manifold-gateway/core/codec";
import { refusedContent } from "@manifold-gateway/providers";
import { verdictOfStatus } from "@manifold-gateway/providers/routing";
import type { RefusalCode } from "../http/codes.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { Fallback, FallbackCause } from "../ports/catalog.ts";
import type { Context } from "../ports/context.ts";
import type { RequestTrace } from "../routing/request-trace.ts";
import { FALLBACK_CAUSES } from "./fallback-causes.ts";
import type { TextAsk } from "./plan.ts";
import type { AnsweredText } from "./reply.ts";

/** The most models that one request may name. */
const MOST = 8;
const LONGEST_NAME = 256;

type Deps = Context<"routing">;

/** The models that a request names as its fallbacks, each once and without its own. Throws a 400 for an unknown one. */
export function readFallbacks(
  { services: { catalog } }: Context<"catalog">,
  { body, model }: TextAsk,
): readonly Fallback[] | undefined {
  const { models } = body.value;
  if (models === undefined || models === null) return undefined;
  if (!Array.isArray(models) || models.length > MOST)
    throw invalid(undefined, `must be a list of at most ${MOST} names of models`);
  const seen = new Set([catalog.get(model)?.id]);
  const fallbacks: Fallback[] = [];
  for (const [at, name] of models.entries()) {
    if (typeof name !== "string" || name === "" || name.length > LONGEST_NAME)
      throw invalid(at, `must be a name of a model, of at most ${LONGEST_NAME} characters`);
    const found = catalog.get(name);
    if (!found) throw invalid(at, `${quote(name)} is not a model of this service`);
    if (!seen.has(found.id)) fallbacks.push({ model: name, on: FALLBACK_CAUSES });
    seen.add(found.id);
  }
  return fallbacks;
}

/**
 * The models that may answer in place of the first one, in order: those that the request names, else the model's own.
 */
export const fallbacksOf = (
  { services: { catalog } }: Context<"catalog">,
  { model, fallbacks }: TextAsk,
): readonly Fallback[] => fallbacks ?? catalog.get(model)?.fallbacks ?? [];

const invalid = (at: number | undefined, text: string): Refusal => {
  const param = at === undefined ? "models" : `models[${at}]`;
  return new Refusal("invalid_request", `${param}: ${text}.`, { param });
};

/** The refusals of this service after which another model may answer. */
const causes: Partial<Record<RefusalCode, FallbackCause>> = {
  provider_unavailable: "unavailable",
  provider_failed: "unavailable",
  model_inactive: "unavailable",
  insufficient_balance: "budget",
  spend_limit_reached: "budget",
};

/** The cause for which a fallback may answer after an error of this service; undefined if none may. */
export const causeOfError = (
  context: Deps,
  error: unknown,
  trace: RequestTrace,
): FallbackCause | undefined =>
  error instanceof Refusal && isRepeatable(context, trace) ? causes[error.code] : undefined;

/** The same after an error answer of a provider, which the trace has. */
export async function causeOfAnswer(
  context: Deps,
  { response: { status }, trace }: AnsweredText,
): Promise<FallbackCause | undefined> {
  if (status < 400 || !isRepeatable(context, trace)) return undefined;
  const body = (await trace.errors?.at(-1))?.body;
  const refused = body === undefined ? undefined : refusedContent(parseJson(body));
  if (refused) return refused;
  if (status === 429) return "rate_limited";
  return verdictOfStatus(status).elsewhere ? "unavailable" : undefined;
}

/**
 * Checks that no call so far can have been charged by its provider, so that another call is not paid twice. A
 * successful answer was generated, even if it broke off.
 */
const isRepeatable = ({ services: { routing }, exchange }: Deps, { attempts }: RequestTrace): boolean =>
  !exchange.sink.closed &&
  !attempts.some(({ status = 0 }) => status >= 200 && status < 300) &&
  (routing.retryAmbiguousFailures || !attempts.some(({ perhapsCharged }) => perhapsCharged));
