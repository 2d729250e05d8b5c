import { type AnyCodec, collectLosses } from "@manifold-gateway/core";
import type { Json, JsonObject, TraitName, Traits } from "@manifold-gateway/core/codec";
import type { Params } from "@manifold-gateway/core/ir";
import { familyRowsOf, knownTraits, type Provider, type UpstreamProtocol } from "@manifold-gateway/providers";
import type { Entry } from "../ports/catalog.ts";
import type { Learnt } from "../ports/routing.ts";

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

const traitsByEntry = new WeakMap<Entry, Computed>();

/**
 * The traits of an entry on a protocol: those of each origin override those before it, but refused parameters add up
 * until the entry. Computed once for each entry and protocol, and again when something is learnt or forgotten.
 */
export function traitsOf(
  entry: Entry,
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
  entry: Entry,
  provider: Provider,
  protocol: UpstreamProtocol,
  learnt?: Traits,
): Traits => merge(layersOf(entry, provider, protocol, learnt));

function layersOf(
  entry: Entry,
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

/** The traits of an entry on a protocol with their origins, and the rows of its family, for an explanation. */
export function explainTraits(
  entry: Entry,
  provider: Provider,
  protocol: UpstreamProtocol,
  learnt?: Learnt,
): JsonObject {
  const layers = layersOf(entry, provider, protocol, learnt?.traits);
  const traits = Object.entries(merge(layers)).map(([name, value]): JsonObject => {
    const from = TRAIT_ORIGINS.findLast((origin) => layers[origin]?.[name as TraitName] !== undefined);
    return { trait: name, value: value as Json, ...(from && { from }) };
  });
  const rows = familyRowsOf(entry.name).map((row): JsonObject => ({ ...row }));
  return { ...(rows.length > 0 && { families: rows }), ...(traits.length > 0 && { traits }) };
}

/**
 * The protocol in which an entry is called, among several: of those that lose the fewest requested features, the
 * caller's or else the first.
 */
export function protocolFor(
  able: readonly UpstreamProtocol[],
  callerProtocol: string,
  lost: (protocol: UpstreamProtocol) => number,
): UpstreamProtocol | undefined {
  let best: UpstreamProtocol | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const protocol of able.toSorted(
    (a, b) => Number(b === callerProtocol) - Number(a === callerProtocol),
  )) {
    const count = lost(protocol);
    if (count < fewest) [best, fewest] = [protocol, count];
    if (count === 0) break;
  }
  return best;
}

/** Counts the parameters that a protocol cannot express, or that a model with these traits does not accept on it. */
export function countUnsaid({ request }: AnyCodec, traits: Traits, params: Params): number {
  const { losses, lose } = collectLosses();
  request.encode({ model: "", stream: false, messages: [], params }, lose, traits);
  return losses.filter(({ path, why }) => why === "unsupported" && path.startsWith("/params/")).length;
}

/** Counts one for a request that a model with these traits does not take on the chat wire, though on another. */
export function countOffChat(
  { onChat }: Traits,
  features: { hasTools(): boolean },
  isForwarded: boolean,
): number {
  if (onChat === undefined || (isForwarded && onChat === "unthinkingTools")) return 0;
  return onChat === "never" || features.hasTools() ? 1 : 0;
}
