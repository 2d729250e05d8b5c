import { type Protocol, sealedFor } from "@manifold/core";
import type { Provider, UpstreamProtocol } from "@manifold/providers";
import type { Catalog, Entry, Model } from "../catalog.ts";
import type { JsonBody } from "../http/body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { type Candidate, entryId, type Skipped, type SkipReason } from "./candidate.ts";
import { type Preferences, readPreferences } from "./preferences.ts";
import { rank, type Standing } from "./rank.ts";
import type { Routing } from "./routing.ts";
import { conversationKey, isBound } from "./sticky.ts";

/** What routes are made of. */
export interface Roads {
  catalog: Catalog;
  providers: ReadonlyMap<string, Provider>;
  routing: Pick<Routing, "health" | "sticky">;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface RouteAsk {
  /** As the caller named it. */
  model: string;
  /** The caller's. */
  protocol: Protocol;
  body: JsonBody;
  account: string;
  /** Leaves out protocols that do not have the operation. */
  can?(protocol: UpstreamProtocol): boolean;
}

/** Where a request may go. */
export interface Route {
  model: Model;
  /** In the order in which they are asked; at least one. */
  candidates: Candidate[];
  skipped: Skipped[];
  preferences: Preferences;
  /** Present where there is a choice: the name that the conversation is remembered by. */
  conversation?: string;
}

/** The entries of a model that a request may be sent to, in order. Refuses where there is none, and says why. */
export function findRoute(roads: Roads, ask: RouteAsk): Route {
  const model = roads.catalog.get(ask.model);
  if (!model)
    throw new Refusal(
      400,
      `model: ${quote(ask.model)} is not a model of this service; GET /models lists them.`,
      {
        param: "model",
        code: "model_not_found",
      },
    );
  const preferences = readPreferences(ask.body.value.provider, ask.model);
  const skipped: Skipped[] = [];
  const found: Candidate[] = [];
  for (const entry of model.entries) {
    const candidate = judge(roads, ask, preferences, model, entry);
    if ("why" in candidate) skipped.push(candidate);
    else found.push(candidate);
  }
  if (found.length === 0) throw nobody(roads, ask.model, model, skipped);
  const conversation = found.length > 1 ? conversationKey(ask.account, ask.model, ask.body.value) : undefined;
  const ranked = found.length > 1 ? order(roads, ask, preferences, found, conversation) : found;
  const last = preferences.fallbacks || preferences.order ? ranked.length : 1;
  for (const candidate of ranked.slice(last)) skipped.push(toSkipped(candidate, "no_fallback"));
  return {
    model,
    candidates: ranked.slice(0, last),
    skipped,
    preferences,
    ...(conversation !== undefined && { conversation }),
  };
}

export const toSkipped = ({ id, provider, entry }: Candidate, why: SkipReason, detail?: string): Skipped => ({
  id,
  provider: provider.id,
  name: entry.name,
  why,
  ...(detail !== undefined && { detail }),
});

/** The entry as one to ask, or why it is none. */
function judge(
  { providers, routing: { health } }: Roads,
  { protocol, can }: RouteAsk,
  preferences: Preferences,
  model: Model,
  entry: Entry,
): Candidate | Skipped {
  const id = entryId(model, entry);
  const no = (why: SkipReason, detail?: string): Skipped => ({
    id,
    provider: entry.provider,
    name: entry.name,
    why,
    ...(detail !== undefined && { detail }),
  });
  if (!model.isActive || !entry.isActive) return no("inactive");
  const provider = providers.get(entry.provider);
  if (!provider) return no("unknown_provider");
  const { only, ignore, order, fallbacks, maxPrice } = preferences;
  if (only && !only.includes(provider.id)) return no("not_chosen");
  if (ignore?.includes(provider.id)) return no("ignored");
  if (order && !fallbacks && !order.includes(provider.id)) return no("no_fallback");
  const spoken = entry.speaks ?? (Object.keys(provider.speaks) as UpstreamProtocol[]);
  const able = can ? spoken.filter(can) : spoken;
  const own = able.find((candidate) => candidate === protocol) ?? able[0];
  if (!own) return no("no_protocol");
  const { price } = entry;
  if (!price) return no("unpriced");
  const dear = maxPrice && tooExpensive(maxPrice, price);
  if (dear !== undefined) return no("too_expensive", dear);
  if (health.of(id)?.circuit === "open") return no("circuit_open");
  return { id, model, entry, provider, protocol: own, price };
}

/** Micro-USD for a million units, by the caller's word for them; those that are sold by the piece count a million pieces. */
const capped = {
  prompt: ["input", 1e6],
  completion: ["output", 1e6],
  audio: ["audioInput", 1e6],
  request: ["requests", 1e12],
  image: ["images", 1e12],
} as const;

function tooExpensive(
  most: NonNullable<Preferences["maxPrice"]>,
  price: Candidate["price"],
): string | undefined {
  for (const name of Object.keys(capped) as (keyof typeof capped)[]) {
    const [unit, scale] = capped[name];
    const limit = most[name];
    const rate = price[unit];
    if (limit !== undefined && rate !== undefined && rate > limit * scale)
      return `max_price.${name} is ${limit}, the price is ${rate / scale}`;
  }
  return undefined;
}

function order(
  { routing: { health, sticky }, now }: Roads,
  { protocol, body }: RouteAsk,
  preferences: Preferences,
  found: readonly Candidate[],
  conversation: string | undefined,
): Candidate[] {
  const bound = isBound(body);
  const served = bound && conversation !== undefined ? sticky.get(conversation) : undefined;
  const sealed = bound ? sealedFor(body.text) : undefined;
  const standings = found.map((candidate): Standing & { candidate: Candidate } => {
    const known = health.of(candidate.id);
    const { price } = candidate;
    return {
      candidate,
      provider: candidate.provider.id,
      stuck: candidate.id === served ? 0 : candidate.protocol === sealed ? 1 : 2,
      cooling: (known?.coolingUntil ?? 0) > now(),
      native: candidate.protocol === protocol,
      priority: candidate.entry.priority,
      failures: known?.failures ?? 0,
      price: (price.input ?? 0) + (price.output ?? 0),
      latency: known?.latency,
      throughput: known?.throughput,
    };
  });
  return rank(standings, preferences).map(({ candidate }) => candidate);
}

/** The refusal of a request that nobody can be asked for. */
function nobody(
  { routing: { health }, now }: Roads,
  asked: string,
  model: Model,
  skipped: readonly Skipped[],
): Refusal {
  const has = (...reasons: SkipReason[]): boolean => skipped.some(({ why }) => reasons.includes(why));
  if (has("circuit_open")) {
    const until = skipped.map(({ id }) => health.of(id)?.until ?? Number.POSITIVE_INFINITY);
    const seconds = Math.max(1, Math.ceil((Math.min(...until) - now()) / 1000));
    return new Refusal(503, `The providers of ${quote(asked)} are failing. Try again in ${seconds} s.`, {
      code: "provider_unavailable",
      headers: { "retry-after": String(seconds) },
    });
  }
  if (has("not_chosen", "ignored", "no_fallback", "too_expensive")) {
    const why = skipped.map(({ provider, why, detail }) => `${provider}: ${detail ?? why}`).join("; ");
    const text = `provider: no provider that is left serves ${quote(asked)} (${why}).`;
    return new Refusal(400, text, { param: "provider", code: "no_provider" });
  }
  if (has("unpriced"))
    return new Refusal(400, `model: no price is configured for ${quote(asked)}.`, {
      param: "model",
      code: "model_unpriced",
    });
  const text = model.isActive
    ? `model: no active provider serves ${quote(asked)}.`
    : `model: ${quote(asked)} is not active; GET /models lists the models that are.`;
  return new Refusal(400, text, { param: "model", code: "model_inactive" });
}
