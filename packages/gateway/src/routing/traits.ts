import { type AnyCodec, collectLosses } from "@manifold-gateway/core";
import type { Ignorable, Traits } from "@manifold-gateway/core/codec";
import type { Params } from "@manifold-gateway/core/ir";
import { knownTraits, type Provider, type UpstreamProtocol } from "@manifold-gateway/providers";
import type { Entry } from "../ports/catalog.ts";
import type { Learnt } from "../ports/routing.ts";

/** The traits of an entry by protocol, and those with what was learnt. */
interface Computed {
  provider: Provider;
  byProtocol: Map<UpstreamProtocol, Traits>;
  byLearnt: WeakMap<Learnt, Traits>;
}

const traitsByEntry = new WeakMap<Entry, Computed>();

/**
 * The traits of an entry on a protocol. The entry's traits override those of the provider's protocol, these the
 * provider's, these what was learnt, and these the traits known for the model's name; what refuses a parameter adds up
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
export function mergedTraits(
  entry: Entry,
  provider: Provider,
  protocol: UpstreamProtocol,
  learnt?: Traits,
): Traits {
  const known = knownTraits(entry.name);
  const spoken = provider.speaks[protocol]?.traits;
  const listed = entry.capabilities?.text?.maxOutputTokens;
  const refused = [known, learnt, provider.traits, spoken].flatMap((traits) => traits?.refuses ?? []);
  return {
    ...known,
    ...(listed !== undefined && { maxOutput: listed }),
    ...learnt,
    ...provider.traits,
    ...spoken,
    ...(refused.length > 0 && { refuses: [...new Set(refused)] }),
    ...entry.traits,
  };
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

/** Counts the requested features that a server with these traits ignores. They are read only if it ignores any. */
export function countIgnored({ ignores = [] }: Traits, features: { asks(): readonly Ignorable[] }): number {
  return ignores.length === 0 ? 0 : features.asks().filter((ask) => ignores.includes(ask)).length;
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
