import type { Facts } from "@manifold-gateway/core/operations";
import { tierOf } from "@manifold-gateway/core/operations";
import type { Service, Wire } from "@manifold-gateway/providers";
import type { Price } from "@manifold-gateway/store";
import type { Context } from "../ports/context.ts";
import type { Open, Skip } from "../routing/candidate.ts";
import { unpriced } from "../routing/no-entry.ts";
import { noPreferences, type Preferences } from "../routing/preferences.ts";
import type { RequestTrace } from "../routing/request-trace.ts";
import { type EntryRules, type OperationStanding, type Selection, selectEntries } from "../routing/select.ts";
import { pricesOf, whyUnpriced } from "../routing/terms.ts";

/** An entry that can generate media, and the service of its provider that does it. */
export interface MediaCandidate extends Open {
  protocol: Wire;
  service: Service;
}

/** An entry and the caller's preferences. */
export interface MediaRoute extends MediaCandidate {
  preferences: Preferences;
}

/** The part of a request's trace that planning fills. */
export type MediaTrail = Partial<Pick<RequestTrace, "queue">>;

export type MediaKind = "image" | "video" | "speech";

export interface MediaRouteOptions {
  preferences?: Preferences;
  /** The acceptable wires. Absent: all. */
  wires?: readonly Wire[];
  /** Set as soon as the route is known. */
  trace?: MediaTrail;
}

/** One unit of everything that is sold separately. */
const sold = ["input", "output", "images", "seconds", "characters", "requests"] as const;

/** The entries that can generate the requested output, in order. Throws with the reason if there are none. */
export function resolveMedia(
  {
    services,
    caller,
    id,
  }: Pick<Context<"catalog" | "now" | "providers" | "routing">, "id" | "services" | "caller">,
  model: string,
  operation: MediaKind,
  { preferences = noPreferences, wires }: MediaRouteOptions = {},
): Selection<MediaCandidate> {
  const ask = { operation, model, account: caller.accountId, preferences };
  return selectEntries(services, ask, new MediaRules(operation, wires, id));
}

/** The rules for entries that generate media. */
class MediaRules implements EntryRules<MediaCandidate> {
  readonly #kind: MediaKind;
  readonly #wires: readonly Wire[] | undefined;
  readonly #request: string;

  constructor(kind: MediaKind, wires: readonly Wire[] | undefined, request: string) {
    this.#kind = kind;
    this.#wires = wires;
    this.#request = request;
  }

  fit(open: Open): MediaCandidate | Skip {
    return serve(open, this.#kind, this.#wires);
  }

  identity(): string {
    return this.#request;
  }

  standing(candidate: MediaCandidate): OperationStanding {
    const [price = {}] = pricesOf(candidate.entry);
    return { price: sold.reduce((sum, unit) => sum + (price[unit] ?? 0), 0) };
  }
}

/** The entry and the service that does the work. */
function serve(open: Open, operation: MediaKind, wires: readonly Wire[] | undefined): MediaCandidate | Skip {
  const service = open.provider.serves?.[operation];
  if (!service) return { why: "no_protocol" };
  if (wires && !wires.includes(service.wire))
    return { why: "not_routed", detail: "This endpoint does not support its provider." };
  const reasons = pricesOf(open.entry).map((price) => whyUnpriced(price, operation));
  if (reasons.includes(undefined)) return { ...open, protocol: service.wire, service };
  return reasons[0] ?? { why: "unpriced" };
}

/**
 * The price of the work: that of the first tier that fits, else the entry's price. Throws a 400 if there is neither, or
 * if it counts nothing of the work.
 */
export function mediaPrice({ model, entry }: MediaRoute, kind: MediaKind, facts: Facts = {}): Price {
  const price = tierOf(entry.tiers ?? [], facts) ?? entry.price;
  const why = whyUnpriced(price, kind);
  if (price && !why) return price;
  throw unpriced(model.id, why?.detail && ` (${why.detail})`);
}
