import { type Ignorable, type Params, type Protocol, sealedFor } from "@manifold/core";
import type { Provider, UpstreamProtocol } from "@manifold/providers";
import type { Catalog, Entry, Model } from "../catalog.ts";
import type { JsonBody } from "../http/json-body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { type Candidate, type Skipped, type SkipReason, toSkipped } from "./candidate.ts";
import { type Preferences, readPreferences } from "./preferences.ts";
import { rank, type Standing } from "./rank.ts";
import type { Routing } from "./routing.ts";
import { nobodyLeft, screen } from "./screen.ts";
import { conversationKey, isBound } from "./sticky.ts";
import { termsOf } from "./terms.ts";
import { countIgnored, countUnsaid, protocolFor, traitsOf } from "./traits.ts";

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
  /** What it asks for that servers may ignore. Default: nothing. */
  asks?(): readonly Ignorable[];
  /** The parameters of the request, beside what `asks` has. */
  params?(): Params;
  /** What the model has to make. Default: `text`. */
  makes?: Works;
  /** Leaves out protocols that do not have the operation. */
  can?(protocol: UpstreamProtocol): boolean;
  /** The protocol of a place where a provider has the operation apart from text: it counts alone. */
  apart?(provider: Provider): UpstreamProtocol | undefined;
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

/** What answers can hold: those of text hold pictures and sound too, of models that make them in conversations. */
const carried: Record<Works, readonly string[]> = {
  text: ["text", "image", "audio"],
  embedding: ["embedding"],
};
type Works = "text" | "embedding";
const words: Record<Works, string> = { text: "text", embedding: "embeddings" };

const notCapable = (asked: string, { outputModalities }: Model, makes: Works): Refusal =>
  new Refusal(
    "model_not_capable",
    `model: ${quote(asked)} does not make ${words[makes]}; it makes ${outputModalities.join(", ")}. GET /api/v1/ai/models?outputModalities=${makes} lists those that do.`,
    { param: "model" },
  );

/** The entries of a model that a request may be sent to, in order. Refuses where there is none, and says why. */
export function findRoute(roads: Roads, ask: RouteAsk): Route {
  const model = roads.catalog.get(ask.model);
  if (!model)
    throw new Refusal(
      "model_not_found",
      `model: ${quote(ask.model)} is not a model of this service; GET /models lists them.`,
      {
        param: "model",
      },
    );
  const { makes = "text" } = ask;
  if (!model.outputModalities.some((modality) => carried[makes].includes(modality)))
    throw notCapable(ask.model, model, makes);
  const preferences = readPreferences(ask.body.value.provider, ask.model);
  const skipped: Skipped[] = [];
  const found: Candidate[] = [];
  for (const entry of model.entries) {
    const candidate = judge(roads, ask, preferences, model, entry);
    if ("why" in candidate) skipped.push(candidate);
    else found.push(candidate);
  }
  if (found.length === 0) throw nobody(roads, ask, model, skipped);
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

/** The entry as one to ask, or why it is none. */
function judge(
  roads: Roads,
  { protocol, can, apart, account, asks = () => [], params = () => ({}) }: RouteAsk,
  preferences: Preferences,
  model: Model,
  entry: Entry,
): Candidate | Skipped {
  const open = screen(roads, account, preferences, model, entry);
  if ("why" in open) return open;
  const { id, provider } = open;
  const place = apart?.(provider);
  const spoken = place ? [place] : (entry.speaks ?? (Object.keys(provider.speaks) as UpstreamProtocol[]));
  const able = can ? spoken.filter(can) : spoken;
  const lost = (one: UpstreamProtocol): number => {
    const traits = traitsOf(entry, provider, one);
    const ignored = countIgnored(traits, asks);
    // What is forwarded as it came says all of it.
    return one === protocol ? ignored : ignored + countUnsaid(one, traits, params());
  };
  const own = able.length > 1 ? protocolFor(able, protocol, lost) : able[0];
  if (!own) return toSkipped(open, "no_protocol");
  const terms = termsOf(entry, provider);
  if (!terms) return toSkipped(open, "unpriced");
  return { id, model, entry, provider, protocol: own, terms };
}

function order(
  { routing: { health, sticky }, now }: Roads,
  { protocol, body, account }: RouteAsk,
  preferences: Preferences,
  found: readonly Candidate[],
  conversation: string | undefined,
): Candidate[] {
  const bound = isBound(body.brief);
  const served = bound && conversation !== undefined ? sticky.get(conversation) : undefined;
  const sealed = bound ? sealedFor(body.outline.text) : undefined;
  const standings = found.map((candidate): Standing & { candidate: Candidate } => {
    const known = health.of(candidate.id, account);
    const { price } = candidate.terms;
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
  { model: asked, account, makes = "text" }: RouteAsk,
  model: Model,
  skipped: readonly Skipped[],
): Refusal {
  const has = (...reasons: SkipReason[]): boolean => skipped.some(({ why }) => reasons.includes(why));
  if (has("circuit_open")) {
    const until = skipped.map(({ id }) => health.of(id, account)?.until ?? Number.POSITIVE_INFINITY);
    const seconds = Math.max(1, Math.ceil((Math.min(...until) - now()) / 1000));
    return new Refusal(
      "provider_unavailable",
      `The providers of ${quote(asked)} are failing. Try again in ${seconds} s.`,
      {
        headers: { "retry-after": String(seconds) },
      },
    );
  }
  const unwanted = nobodyLeft(asked, skipped);
  if (unwanted) return unwanted;
  if (has("unpriced") && !model.outputModalities.includes(makes)) return notCapable(asked, model, makes);
  if (has("unpriced"))
    return new Refusal("model_unpriced", `model: no price is configured for ${quote(asked)}.`, {
      param: "model",
    });
  const text = model.isActive
    ? `model: no active provider serves ${quote(asked)}.`
    : `model: ${quote(asked)} is not active; GET /models lists the models that are.`;
  return new Refusal("model_inactive", text, { param: "model" });
}
