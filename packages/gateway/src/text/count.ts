import { type AnyCodec, type Edits, isObject, type JsonObject } from "@manifold/core";
import { faultOf, readJson, UpstreamFault, upstreamHeaders } from "@manifold/providers";
import type { Answer, Context } from "../context.ts";
import { type BodyLimits, bodyLimits } from "../http/body.ts";
import type { JsonBody } from "../http/json-body.ts";
import { Refusal } from "../http/refusal.ts";
import { refuseAddresses } from "../media/forwarded.ts";
import type { Candidate } from "../routing/candidate.ts";
import { findRoute } from "../routing/route.ts";
import { heldUsage } from "./hold.ts";
import { nothingMetered } from "./metered.ts";
import { spelledAs } from "./named.ts";
import { hideIn, hideSecret } from "./secret.ts";
import { inputEstimate } from "./tokens.ts";

export interface CountAsk {
  codec: AnyCodec;
  body: JsonBody;
  model: string;
  /** Members to change where the provider counts. */
  edits?: Edits;
  /** Members that may hold a whole request, which names the model again. */
  whole?: readonly string[];
  /** The provider's own endpoint, for the native name. */
  endpoint(name: string): string;
  answer(tokens: number): JsonObject;
}

/** Statuses that say that a provider cannot count, rather than that the request is wrong. */
const CANNOT = new Set([404, 405, 501]);

/** How long a provider may take to count, in milliseconds, and how much it may say, in bytes. */
const PATIENCE = 30_000;
const LIMIT = 1024 * 1024;

/** How large a request may be whose tokens are counted: the call itself may bring more media. */
export const countLimits: BodyLimits = { ...bodyLimits, media: 8 * 1024 * 1024 };

/**
 * Counts the input tokens of a request: by the provider where it speaks the caller's protocol, else by the rule that
 * estimates are made by. Nothing is charged, and yet the provider is only called for a caller who could pay for the
 * request itself: its answers come out of the limits that all callers share there.
 */
export async function countTokens(context: Context, ask: CountAsk): Promise<Answer> {
  const { services, caller } = context;
  const wait = services.counts.take(caller.keyId ?? caller.accountId);
  if (wait > 0)
    throw new Refusal("too_many_counts", "Tokens are counted too often; wait a moment.", {
      headers: { "retry-after": String(Math.ceil(wait / 1000)) },
    });
  const { candidates } = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
  });
  refuseAddresses(services, ask);
  const first = candidates[0] as Candidate;
  const held = heldUsage({ facts: ask.codec.billing, body: ask.body, metered: nothingMetered }, services);
  const headroom = await services.billing.headroom?.({
    caller,
    modality: "text",
    model: ask.model,
    request: "",
    price: first.terms.price,
    usage: held(first),
  });
  if (headroom?.refusal) throw headroom.refusal;
  const counted = first.protocol === ask.codec.protocol ? await askProvider(context, ask, first) : undefined;
  return counted ?? { body: ask.answer(inputEstimate(ask.body.brief)) };
}

/** What the provider answers; nothing where it cannot count or cannot be heard. */
async function askProvider(
  { services, exchange }: Context,
  { body: { value: sent }, edits, whole = [], model, endpoint }: CountAsk,
  { provider, protocol, entry }: Candidate,
): Promise<Answer | undefined> {
  const base = provider.speaks[protocol]?.base;
  if (base === undefined) return undefined;
  const { provider: _, ...rest } = sent;
  const value = renamed({ ...rest, ...edits } as JsonObject, model, entry.name);
  for (const member of whole) {
    const inner = value[member];
    if (isObject(inner)) value[member] = renamed(inner, model, entry.name);
  }
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    const response = await services.client.post(
      provider.origin + base + endpoint(encodeURIComponent(entry.name)),
      {
        headers: upstreamHeaders(provider, protocol, false, (name) => exchange.header(name)),
        json: value,
        signal,
      },
    );
    const body = await readJson(response, LIMIT, signal);
    if (!isObject(body) || CANNOT.has(response.status)) return undefined;
    return { status: response.status, body: hideIn(body, hideSecret(provider.key)) };
  } catch (error) {
    const fault = faultOf(error, signal);
    if (!(fault instanceof UpstreamFault)) throw fault;
    return undefined;
  }
}

/** The request with the provider's name of the model, where it names one. */
const renamed = (request: JsonObject, asked: string, name: string): JsonObject =>
  "model" in request ? { ...request, model: spelledAs(request.model, asked, name) } : request;
