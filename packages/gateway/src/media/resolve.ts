import type { Facts } from "@manifold-gateway/core/operations";
import { tierOf } from "@manifold-gateway/core/operations";
import type { Service, Wire } from "@manifold-gateway/providers";
import type { Price } from "@manifold-gateway/store";
import type { Context } from "../ports/context.ts";
import type { Open, Rejection } from "../routing/candidate.ts";
import { unpriced } from "../routing/ineligible.ts";
import { noPreferences, type Preferences } from "../routing/preferences.ts";
import type { RequestTrace } from "../routing/request-trace.ts";
import { type Selection, selectEntries } from "../routing/select.ts";

/** An entry that makes media, and the service of its provider that does. */
export interface MediaCandidate extends Open {
  protocol: Wire;
  service: Service;
}

/** An entry, with the caller's preferences. */
export interface MediaRoute extends MediaCandidate {
  preferences: Preferences;
}

/** The facts of a media request's route as it is prepared. */
export type MediaTrail = Partial<Pick<RequestTrace, "queue">>;

export type MediaKind = "image" | "video" | "speech";

export interface MediaWish {
  preferences?: Preferences;
  /** The only wires that will do. */
  wires?: readonly Wire[];
  /** Called with the route as soon as it is known. */
  trace?: MediaTrail;
}

/** The price of one unit of everything that is sold by itself. */
const sold = ["input", "output", "images", "seconds", "characters", "requests"] as const;

/** The entries that make the requested output, in order. Refuses where there is none, and says why. */
export function resolveMedia(
  { services, caller, id }: Pick<Context, "id" | "services" | "caller">,
  model: string,
  operation: MediaKind,
  { preferences = noPreferences, wires }: MediaWish = {},
): Selection<MediaCandidate> {
  return selectEntries<MediaCandidate>(services, {
    operation,
    model,
    account: caller.accountId,
    preferences,
    fit: (open) => serve(open, operation, wires),
    identity: () => id,
    standings: () => (candidate) => {
      const [price = {}] = pricesOf(candidate);
      return { price: sold.reduce((sum, unit) => sum + (price[unit] ?? 0), 0) };
    },
  });
}

/** The entry with the service that does the work. */
function serve(
  open: Open,
  operation: MediaKind,
  wires: readonly Wire[] | undefined,
): MediaCandidate | Rejection {
  const service = open.provider.serves?.[operation];
  if (!service) return { why: "no_protocol" };
  if (wires && !wires.includes(service.wire))
    return { why: "not_routed", detail: "This endpoint does not support its provider." };
  return pricesOf(open).length > 0 ? { ...open, protocol: service.wire, service } : { why: "unpriced" };
}

/** The prices that an entry may have work at. */
const pricesOf = ({ entry: { price, tiers = [] } }: Open): Price[] => [
  ...(price ? [price] : []),
  ...tiers.map((tier): Price => tier.price),
];

/** The price of the work: of the entry's tiers the first that fits, else its price. A 400 where there is neither. */
export function mediaPrice({ model, entry }: MediaRoute, facts: Facts = {}): Price {
  const price = tierOf(entry.tiers ?? [], facts) ?? entry.price;
  if (price) return price;
  throw unpriced(model.id);
}
