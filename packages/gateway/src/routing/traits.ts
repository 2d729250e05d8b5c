import { type AnyCodec, codecs, collectLosses } from "@manifold/core";
import type { Ignorable, Traits } from "@manifold/core/codec";
import type { Params } from "@manifold/core/ir";
import { knownTraits, type Provider, type UpstreamProtocol } from "@manifold/providers";
import type { Entry } from "../ports/catalog.ts";

/**
 * The traits of an entry on a protocol: its own traits before those of the protocol, these before its provider's, and
 * all of them before those that are known of its model by name.
 */
export const traitsOf = (
  { name, traits: own }: Pick<Entry, "name" | "traits">,
  { traits, speaks }: Pick<Provider, "traits" | "speaks">,
  protocol: UpstreamProtocol,
): Traits => ({ ...knownTraits(name), ...traits, ...speaks[protocol]?.traits, ...own });

/**
 * The protocol of several that an entry is spoken to in: the caller's own, else the first; but of those on which the
 * fewest asks are lost.
 */
export function protocolFor(
  able: readonly UpstreamProtocol[],
  own: string,
  lost: (protocol: UpstreamProtocol) => number,
): UpstreamProtocol | undefined {
  let best: UpstreamProtocol | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const protocol of able.toSorted((a, b) => Number(b === own) - Number(a === own))) {
    const count = lost(protocol);
    if (count < fewest) [best, fewest] = [protocol, count];
    if (count === 0) break;
  }
  return best;
}

/** Counts the parameters that a protocol has no words for, or that a model with these traits does not take on it. */
export function countUnsaid(protocol: UpstreamProtocol, traits: Traits, params: Params): number {
  const { losses, lose } = collectLosses();
  const { request } = codecs[protocol] as AnyCodec;
  request.encode({ model: "", stream: false, messages: [], params }, lose, traits);
  return losses.filter(({ path, why }) => why === "unsupported" && path.startsWith("/params/")).length;
}

/**
 * Counts the requested features that a server with these traits ignores. `asks` is only called where it ignores
 * anything.
 */
export function countIgnored({ ignores = [] }: Traits, asks: () => readonly Ignorable[]): number {
  return ignores.length === 0 ? 0 : asks().filter((ask) => ignores.includes(ask)).length;
}
