import type { Capabilities } from "@manifold-gateway/core/capability";
import type { Json, JsonObject, TraitName, Traits } from "@manifold-gateway/core/codec";
import { familyRowsOf, knownTraits } from "../catalog/text/index.ts";
import type { Provider, UpstreamProtocol } from "../provider.ts";
import type { Learnt } from "./lessons.ts";

/** A provider's model, as far as its traits depend on its declaration. */
export interface TraitedModel {
  /** The provider's name for it. */
  name: string;
  /** What is listed of it. */
  capabilities?: Pick<Capabilities, "text">;
  /** The traits of its entry, which override all others. */
  traits?: Traits;
}

/** A model at a provider, and the protocol in which it is called. */
export interface ServedModel {
  /** The model. */
  entry: TraitedModel;
  /** Its provider. */
  provider: Provider;
  /** The protocol in which it is called. */
  protocol: UpstreamProtocol;
}

/**
 * The origins of traits, each before those that override it: the family of a model, what is listed of it, what is known
 * of its provider's server, what was learnt from refusals, its provider in the configuration, the protocol of that
 * provider, and its entry.
 */
export const TRAIT_ORIGINS = [
  "family",
  "listing",
  "server",
  "learnt",
  "provider",
  "protocol",
  "entry",
] as const;
type TraitLayers = Readonly<Record<(typeof TRAIT_ORIGINS)[number], Traits | undefined>>;

/** The traits of an entry by protocol, and those with what was learnt. */
interface Computed {
  provider: Provider;
  byProtocol: Map<UpstreamProtocol, Traits>;
  byLearnt: WeakMap<Learnt, Traits>;
}

const traitsByEntry = new WeakMap<TraitedModel, Computed>();

/**
 * The traits of an entry on a protocol: those of each origin override those before it, but refused parameters add up
 * until the entry. Computed once for each entry and protocol, and again when something is learnt or forgotten.
 */
export function traitsOf(
  entry: TraitedModel,
  provider: Provider,
  protocol: UpstreamProtocol,
  learnt?: Learnt,
): Traits {
  let computed = traitsByEntry.get(entry);
  if (computed?.provider !== provider) {
    computed = { provider, byProtocol: new Map(), byLearnt: new WeakMap() };
    traitsByEntry.set(entry, computed);
  }
  const before = learnt ? computed.byLearnt.get(learnt) : computed.byProtocol.get(protocol);
  if (before) return before;
  const traits = mergedTraits(entry, provider, protocol, learnt?.traits);
  if (learnt) computed.byLearnt.set(learnt, traits);
  else computed.byProtocol.set(protocol, traits);
  return traits;
}

/** The traits of an entry on a protocol, with these that were learnt. */
export const mergedTraits = (
  entry: TraitedModel,
  provider: Provider,
  protocol: UpstreamProtocol,
  learnt?: Traits,
): Traits => merge(layersOf(entry, provider, protocol, learnt));

function layersOf(
  entry: TraitedModel,
  provider: Provider,
  protocol: UpstreamProtocol,
  learnt: Traits | undefined,
): TraitLayers {
  const maxOutput = entry.capabilities?.text?.maxOutputTokens;
  return {
    family: knownTraits(entry.name),
    listing: maxOutput === undefined ? undefined : { maxOutput },
    server: provider.speaks[protocol]?.serverTraits,
    learnt,
    provider: provider.traits,
    protocol: provider.speaks[protocol]?.traits,
    entry: entry.traits,
  };
}

function merge(layers: TraitLayers): Traits {
  const refused = TRAIT_ORIGINS.flatMap((origin) => layers[origin]?.refuses ?? []);
  const refuses = layers.entry?.refuses ?? (refused.length > 0 ? [...new Set(refused)] : undefined);
  return Object.assign({}, ...TRAIT_ORIGINS.map((origin) => layers[origin]), refuses && { refuses });
}

/** A trait, and the last of its origins. */
export interface TraitOrigin {
  /** The name of the trait. */
  trait: TraitName;
  /** Its value. */
  value: Json;
  /** Where it comes from: one of `TRAIT_ORIGINS`. */
  from: (typeof TRAIT_ORIGINS)[number];
}

/** The traits of an entry on a protocol, each with the origin that decides it. */
export function traitOrigins(
  entry: TraitedModel,
  provider: Provider,
  protocol: UpstreamProtocol,
  learnt?: Traits,
): TraitOrigin[] {
  const layers = layersOf(entry, provider, protocol, learnt);
  return Object.entries(merge(layers)).flatMap(([name, value]) => {
    const trait = name as TraitName;
    const from = TRAIT_ORIGINS.findLast((origin) => layers[origin]?.[trait] !== undefined);
    return from ? [{ trait, value: value as Json, from }] : [];
  });
}

/** The traits of an entry on a protocol with their origins, and the rows of its family, for an explanation. */
export function explainTraits(
  entry: TraitedModel,
  provider: Provider,
  protocol: UpstreamProtocol,
  learnt?: Learnt,
): JsonObject {
  const traits = traitOrigins(entry, provider, protocol, learnt?.traits).map((one) => ({ ...one }));
  const rows = familyRowsOf(entry.name).map((row): JsonObject => ({ ...row }));
  return { ...(rows.length > 0 && { families: rows }), ...(traits.length > 0 && { traits }) };
}
