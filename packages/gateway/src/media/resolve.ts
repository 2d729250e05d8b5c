import type { Facts } from "@manifold/core";
import { tierOf } from "@manifold/core";
import type { Provider, Service, Wire } from "@manifold/providers";
import type { Price } from "@manifold/store";
import type { Entry, Model } from "../catalog.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { Preferences } from "../routing/preferences.ts";
import type { Services } from "../services.ts";

/** Who makes what is asked for. */
export interface MediaRoute {
  model: Model;
  entry: Entry;
  provider: Provider;
  service: Service;
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
}

/** The entry that makes what is asked of a model: the caller's order first, then priority. A 400 where there is none. */
export function resolveMedia(
  { catalog, providers }: Pick<Services, "catalog" | "providers">,
  id: string,
  kind: MediaKind,
  { preferences, wires }: MediaWish = {},
): MediaRoute {
  const [modality, work] = makes[kind];
  const refuse = (text: string, code: string): Refusal =>
    new Refusal(400, `model: ${text}`, { param: "model", code });
  const model = catalog.get(id);
  if (!model)
    throw refuse(
      `${quote(id)} is not a model of this service; GET /api/v1/ai/models lists them.`,
      "model_not_found",
    );
  if (!model.outputModalities.includes(modality))
    throw refuse(
      `${quote(id)} does not make ${work}; GET /api/v1/ai/models?outputModalities=${modality} lists those that do.`,
      "model_not_capable",
    );
  const served = (model.isActive ? model.entries : []).flatMap((entry): MediaRoute[] => {
    const provider = entry.isActive ? providers.get(entry.provider) : undefined;
    const service = provider?.serves?.[kind];
    return provider && service ? [{ model, entry, provider, service }] : [];
  });
  const fitting = served.filter(({ service }) => !wires || wires.includes(service.wire));
  if (served.length > 0 && fitting.length === 0)
    throw refuse(
      `${quote(id)} is served by no provider that this endpoint is routed to.`,
      "model_not_routed",
    );
  const [best] = preferred(fitting, preferences);
  if (!best) throw refuse(`no active provider serves ${quote(id)} for ${work}.`, "model_inactive");
  return best;
}

function preferred(routes: readonly MediaRoute[], preferences: Preferences | undefined): MediaRoute[] {
  const { order = [], only, ignore = [] } = preferences ?? {};
  const place = ({ provider: { id } }: MediaRoute): number =>
    order.includes(id) ? order.indexOf(id) : order.length;
  return routes
    .filter(({ provider: { id } }) => (!only || only.includes(id)) && !ignore.includes(id))
    .filter((route) => preferences?.fallbacks !== false || order.length === 0 || place(route) < order.length)
    .sort((a, b) => place(a) - place(b) || a.entry.priority - b.entry.priority);
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
