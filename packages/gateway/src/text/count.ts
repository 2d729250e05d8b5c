import { type AnyCodec, type Edits, parseWire } from "@manifold-gateway/core";
import { isObject, type JsonObject, validate } from "@manifold-gateway/core/codec";
import { spelledAs } from "@manifold-gateway/core/plan";
import { hideIn, hideSecrets } from "@manifold-gateway/core/reply";
import type { CountForm } from "@manifold-gateway/core/wire";
import {
  type Credential,
  faultOf,
  readJson,
  secretsOf,
  UpstreamFault,
  upstreamHeaders,
} from "@manifold-gateway/providers";
import type { CountService } from "../generation/services.ts";
import { inputEstimate } from "../generation/token-estimate.ts";
import { type BodyLimits, bodyLimits } from "../http/body.ts";
import type { JsonBody } from "../http/json-body.ts";
import { Refusal } from "../http/refusal.ts";
import { errorSource } from "../http/source.ts";
import { logDenial } from "../observe/observed-call.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { Candidate } from "../routing/candidate.ts";
import { estimateOf } from "./estimate.ts";
import { findPayableRoute } from "./payable-route.ts";
import { TextPlanner } from "./plan.ts";

export interface CountAsk extends CountForm {
  codec: AnyCodec;
  body: JsonBody;
  model: string;
  /** Members to change before the provider counts. */
  edits?: Edits;
}

/** Statuses that mean that a provider cannot count, not that the request is wrong. */
const CANNOT = new Set([404, 405, 501]);

/** The time a provider may take to count, in milliseconds, and the length of its answer, in bytes. */
const COUNT_TIMEOUT = 30_000;
const LIMIT = 1024 * 1024;

/** The limits of a request to count tokens. The generation itself may contain more media. */
export const countLimits: BodyLimits = { ...bodyLimits, media: 8 * 1024 * 1024 };

/** The documentation of the routes that count. */
export const countAbout =
  "By the provider if one of its protocols supports it, else by an estimate; `x-token-count` says which (`provider`, `estimate`). Nothing is charged; a caller that could not pay for the request itself is refused, and counts per key and minute are limited.";

/** The source of the count. */
const by = (who: "provider" | "estimate"): Record<string, string> => ({ "x-token-count": who });

/**
 * Counts the input tokens of a request: by the provider if one of its protocols can, else by an estimate, which is the
 * same on every surface. Nothing is charged. Still the provider is called only for a caller who could pay for the
 * request itself, because counts use up the rate limits that all callers share there.
 */
export async function countTokens(context: Context<CountService>, ask: CountAsk): Promise<Answer> {
  const { services, caller } = context;
  const wait = services.counts.take(caller.keyId ?? caller.accountId);
  if (wait > 0)
    throw new Refusal("too_many_counts", "The rate limit of token counts is reached; wait a moment.", {
      headers: { "retry-after": String(Math.ceil(wait / 1000)) },
    });
  const { candidates, rules } = await findPayableRoute(context, ask);
  const first = candidates[0] as Candidate;
  const choice = rules.credentials(first);
  const credential = choice && services.routing.credentials.pick(choice);
  const counted =
    first.protocol === ask.codec.protocol
      ? await askProvider(context, { ...first, credential }, forwarded(ask, first))
      : await askElsewhere(context, ask, { ...first, credential });
  return counted ?? { headers: by("estimate"), body: ask.answer(estimated(ask)) };
}

/** The estimate of the decoded request, or of its body if it cannot be decoded. */
function estimated({ codec, body, whole = [], edits }: CountAsk): number {
  const value = { ...body.value, ...edits } as JsonObject;
  const inner = whole.map((member) => value[member]).find(isObject) ?? value;
  const parsed = validate(codec.request.schema, inner);
  return parsed.success ? estimateOf(codec.request.decode(parsed.data)) : inputEstimate(body);
}

/** The body for a provider that counts in the caller's protocol. */
function forwarded({ body, edits, whole = [], model }: CountAsk, { entry }: Candidate): JsonObject {
  const { provider: _, ...rest } = body.value;
  const value = renamed({ ...rest, ...edits } as JsonObject, model, entry.name);
  for (const member of whole) {
    const inner = value[member];
    if (isObject(inner)) value[member] = renamed(inner, model, entry.name);
  }
  return value;
}

/**
 * The count of a provider of another protocol, in the caller's shape; undefined if the request cannot be translated.
 */
async function askElsewhere(
  context: Context<"client" | "log" | "protocols" | "routing">,
  ask: CountAsk,
  to: CountTarget,
): Promise<Answer | undefined> {
  const { protocols } = context.services;
  const { count } = protocols.codecs[to.protocol];
  if (!count) return undefined;
  let wire: JsonObject;
  try {
    const { body } = new TextPlanner({ ...ask, stream: false }).plan(to);
    wire = parseWire(String(body), protocols) as JsonObject;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
  const answer = await askProvider(context, to, count.ask(wire, to.entry.name));
  const tokens = answer && answer.status === 200 ? count.read(answer.body as JsonObject) : undefined;
  return tokens === undefined ? undefined : { headers: by("provider"), body: ask.answer(tokens) };
}

/** An entry, and the credential for its call if its provider has several. */
type CountTarget = Candidate & { credential: Credential | undefined };

/** The provider's answer; undefined if it cannot count or cannot be reached. */
async function askProvider(
  { id: request, services, exchange }: Context<"client" | "log" | "protocols" | "routing">,
  { provider, protocol, entry, credential }: CountTarget,
  json: JsonObject,
): Promise<Answer | undefined> {
  const { count } = services.protocols.codecs[protocol];
  const base = provider.speaks[protocol]?.base;
  // Platforms with a call format of their own also count differently.
  if (base === undefined || !count || provider.identity || provider.speaks[protocol]?.platform)
    return undefined;
  const signal = AbortSignal.timeout(COUNT_TIMEOUT);
  try {
    const response = await services.client.post(
      provider.origin + base + count.endpoint(encodeURIComponent(entry.name)),
      {
        headers: upstreamHeaders(provider, protocol, false, (name) => exchange.header(name), credential),
        json,
        signal,
      },
    );
    const body = await readJson(response, LIMIT, signal);
    const { status } = response;
    logDenial(services.log, status, {
      request,
      provider: provider.id,
      name: entry.name,
      ...(credential && { credential: credential.name }),
    });
    if (credential && status === 401) services.routing.credentials.denied(provider.id, credential, status);
    if (!isObject(body) || CANNOT.has(status)) return undefined;
    return {
      status,
      headers: { ...(status >= 400 ? errorSource.provider : {}), ...by("provider") },
      body: hideIn(body, hideSecrets(secretsOf(provider))),
    };
  } catch (error) {
    const fault = faultOf(error, signal);
    if (!(fault instanceof UpstreamFault)) throw fault;
    return undefined;
  }
}

/** The request with the provider's name of the model, if it names one. */
const renamed = (request: JsonObject, requested: string, name: string): JsonObject =>
  "model" in request ? { ...request, model: spelledAs(request.model, requested, name) } : request;
