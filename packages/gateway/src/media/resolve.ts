import type { Facts } from "@manifold/core";
import { tierOf } from "@manifold/core";
import type { Provider, Service, Wire } from "@manifold/providers";
import type { Price } from "@manifold/store";
import type { Entry, Model } from "../catalog.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { entryId, type Skipped, type SkipReason } from "../routing/candidate.ts";
import type { Preferences } from "../routing/preferences.ts";
import type { Services } from "../services.ts";

/** Who makes what is asked for: the one entry that is asked, for nobody can say whether work was begun twice. */
export interface MediaRoute {
  /** Of the entry, as callers are told of it. */
  id: string;
  model: Model;
  entry: Entry;
  provider: Provider;
  service: Service;
  /** The other entries, and why none of them is asked. */
  skipped: readonly Skipped[];
}

/** What is known of a request's way as it is prepared. */
export interface MediaTrail {
  route?: MediaRoute;
}

/** What each kind of work makes: the modality of models, and the word for it. */
const makes = {
  image: ["image", "images"],
  video: ["video", "videos"],
  speech: ["audio", "speech"],
} as const;
export type MediaKind = keyof typeof makes;

export interface MediaWish {
  preferences?: Preferences;
  /** The only wires that will do. */
  wires?: readonly Wire[];
  /** Told the way as soon as it is known. */
  trail?: MediaTrail;
}

type Roads = Pick<Services, "catalog" | "providers" | "routing" | "now">;
type Found = Omit<MediaRoute, "skipped">;

/**
 * The entry that makes what is asked of a model: the caller's order first, then who asked for no pause, priority and
 * health. A 400 where there is none, a 503 where all of them are failing.
 */
export function resolveMedia(roads: Roads, id: string, kind: MediaKind, wish: MediaWish = {}): MediaRoute {
  const [modality, work] = makes[kind];
  const model = roads.catalog.get(id);
  if (!model)
    throw refused(
      `${quote(id)} is not a model of this service; GET /api/v1/ai/models lists them.`,
      "model_not_found",
    );
  if (!model.outputModalities.includes(modality))
    throw refused(
      `${quote(id)} does not make ${work}; GET /api/v1/ai/models?outputModalities=${modality} lists those that do.`,
      "model_not_capable",
    );
  const judged = model.entries.map((entry) => judge(roads, model, entry, kind, wish));
  const skipped = judged.filter((one): one is Skipped => "why" in one);
  const found = judged.filter((one): one is Found => !("why" in one));
  const [best, ...rest] = ordered(roads, found, wish.preferences);
  if (!best) throw nobody(roads, id, work, skipped);
  const others = rest.map(
    ({ id, entry }): Skipped => ({
      id,
      provider: entry.provider,
      name: entry.name,
      why: "no_fallback",
      detail: "Work is begun once, at one entry.",
    }),
  );
  const route = { ...best, skipped: [...others, ...skipped] };
  if (wish.trail) wish.trail.route = route;
  return route;
}

const refused = (text: string, code: string): Refusal =>
  new Refusal(400, `model: ${text}`, { param: "model", code });

/** The entry as one to ask, or why it is none. */
function judge(
  { providers, routing: { health } }: Roads,
  model: Model,
  entry: Entry,
  kind: MediaKind,
  { preferences, wires }: MediaWish,
): Found | Skipped {
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
  const service = provider.serves?.[kind];
  if (!service) return no("no_protocol");
  if (wires && !wires.includes(service.wire)) return no("no_protocol", UNROUTED);
  const { only, ignore, order, fallbacks } = preferences ?? { fallbacks: true };
  if (only && !only.includes(provider.id)) return no("not_chosen");
  if (ignore?.includes(provider.id)) return no("ignored");
  if (order && order.length > 0 && !fallbacks && !order.includes(provider.id)) return no("no_fallback");
  if (health.of(id)?.circuit === "open") return no("circuit_open");
  return { id, model, entry, provider, service };
}

const UNROUTED = "This endpoint is not routed to its provider.";

function ordered(
  { routing: { health }, now }: Roads,
  found: readonly Found[],
  preferences: Preferences | undefined,
): Found[] {
  const order = preferences?.order ?? [];
  const keysOf = ({ id, entry, provider }: Found): number[] => {
    const known = health.of(id);
    const place = order.includes(provider.id) ? order.indexOf(provider.id) : order.length;
    return [place, Number((known?.coolingUntil ?? 0) > now()), entry.priority, known?.failures ?? 0];
  };
  const differ = (a: number[], b: number[]): number =>
    a.map((key, at) => key - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return found
    .map((one) => ({ one, keys: keysOf(one) }))
    .sort((a, b) => differ(a.keys, b.keys))
    .map(({ one }) => one);
}

/** The refusal of a request whose entries are failing, or are just being tried by another's. */
export function failing(
  { routing: { health }, now }: Pick<Roads, "routing" | "now">,
  id: string,
  open: readonly { id: string }[],
): Refusal {
  const until = Math.min(...open.map((one) => health.of(one.id)?.until ?? now()));
  const seconds = Math.max(1, Math.ceil((until - now()) / 1000));
  return new Refusal(503, `The providers of ${quote(id)} are failing. Try again in ${seconds} s.`, {
    code: "provider_unavailable",
    headers: { "retry-after": String(seconds) },
  });
}

/** The refusal of a request that nobody can be asked for. */
function nobody(roads: Roads, id: string, work: string, skipped: readonly Skipped[]): Refusal {
  const open = skipped.filter(({ why }) => why === "circuit_open");
  if (open.length > 0) return failing(roads, id, open);
  if (skipped.some(({ detail }) => detail === UNROUTED))
    return refused(
      `${quote(id)} is served by no provider that this endpoint is routed to.`,
      "model_not_routed",
    );
  return refused(`no active provider serves ${quote(id)} for ${work}.`, "model_inactive");
}

/** What the work costs: of the entry's tiers the first that fits, else its price. A 400 where there is neither. */
export function mediaPrice({ model, entry }: MediaRoute, facts: Facts = {}): Price {
  const price = tierOf(entry.tiers ?? [], facts) ?? entry.price;
  if (price) return price;
  throw new Refusal(400, `model: no price is configured for ${quote(model.id)}.`, {
    param: "model",
    code: "model_unpriced",
  });
}
