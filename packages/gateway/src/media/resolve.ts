import type { Facts } from "@manifold/core";
import { tierOf } from "@manifold/core";
import type { Provider, Service, Wire } from "@manifold/providers";
import type { Price } from "@manifold/store";
import type { Entry, Model } from "../catalog.ts";
import type { Context } from "../context.ts";
import type { RefusalCode } from "../http/codes.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { type Skipped, toSkipped } from "../routing/candidate.ts";
import { noPreferences, type Preferences } from "../routing/preferences.ts";
import { rank, type Standing } from "../routing/rank.ts";
import { nobodyLeft, screen } from "../routing/screen.ts";
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
 * The entry that makes what is asked of a model: the caller's order first, then who asked for no pause, what the
 * caller sorts by, priority, health and price. A 400 where there is none, a 503 where all of them are failing.
 */
export function resolveMedia(
  { services: roads, caller }: Pick<Context, "services" | "caller">,
  id: string,
  kind: MediaKind,
  wish: MediaWish = {},
): MediaRoute {
  const account = caller.accountId;
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
  const judged = model.entries.map((entry) => judge(roads, account, model, entry, kind, wish));
  const skipped = judged.filter((one): one is Skipped => "why" in one);
  const found = judged.filter((one): one is Found => !("why" in one));
  const [best, ...rest] = ordered(roads, account, found, wish.preferences);
  if (!best) throw nobody(roads, account, id, work, skipped);
  const others = rest.map((one) => toSkipped(one, "no_fallback", "Work is begun once, at one entry."));
  const route = { ...best, skipped: [...others, ...skipped] };
  if (wish.trail) wish.trail.route = route;
  return route;
}

const refused = (text: string, code: RefusalCode): Refusal =>
  new Refusal(code, `model: ${text}`, { param: "model" });

/** The entry as one to ask, or why it is none. */
function judge(
  roads: Roads,
  account: string,
  model: Model,
  entry: Entry,
  kind: MediaKind,
  { preferences = noPreferences, wires }: MediaWish,
): Found | Skipped {
  const open = screen(roads, account, preferences, model, entry);
  if ("why" in open) return open;
  const service = open.provider.serves?.[kind];
  if (!service) return toSkipped(open, "no_protocol");
  if (wires && !wires.includes(service.wire)) return toSkipped(open, "no_protocol", UNROUTED);
  return { ...open, model, service };
}

const UNROUTED = "This endpoint is not routed to its provider.";

/** What one of everything that is sold by itself comes to. */
const sold = ["input", "output", "images", "seconds", "characters", "requests"] as const;

function ordered(
  { routing: { health }, now }: Roads,
  account: string,
  found: readonly Found[],
  preferences: Preferences = noPreferences,
): Found[] {
  const standings = found.map((one): Standing & { one: Found } => {
    const { id, entry, provider } = one;
    const known = health.of(id, account);
    const price: Price = entry.price ?? entry.tiers?.[0]?.price ?? {};
    return {
      one,
      provider: provider.id,
      stuck: 2,
      cooling: (known?.coolingUntil ?? 0) > now(),
      native: true,
      priority: entry.priority,
      failures: known?.failures ?? 0,
      price: sold.reduce((sum, unit) => sum + (price[unit] ?? 0), 0),
      latency: known?.latency,
      throughput: known?.throughput,
    };
  });
  return rank(standings, preferences).map(({ one }) => one);
}

/** The refusal of a request whose entries are failing, or are just being tried by another's. */
export function failing(
  { routing: { health }, now }: Pick<Roads, "routing" | "now">,
  account: string,
  id: string,
  open: readonly { id: string }[],
): Refusal {
  const until = Math.min(...open.map((one) => health.of(one.id, account)?.until ?? now()));
  const seconds = Math.max(1, Math.ceil((until - now()) / 1000));
  return new Refusal(
    "provider_unavailable",
    `The providers of ${quote(id)} are failing. Try again in ${seconds} s.`,
    {
      headers: { "retry-after": String(seconds) },
    },
  );
}

/** The refusal of a request that nobody can be asked for. */
function nobody(
  roads: Roads,
  account: string,
  id: string,
  work: string,
  skipped: readonly Skipped[],
): Refusal {
  const open = skipped.filter(({ why }) => why === "circuit_open");
  if (open.length > 0) return failing(roads, account, id, open);
  const unwanted = nobodyLeft(id, skipped);
  if (unwanted) return unwanted;
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
  throw new Refusal("model_unpriced", `model: no price is configured for ${quote(model.id)}.`, {
    param: "model",
  });
}
