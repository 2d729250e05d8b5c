import type { Ignorable, Traits } from "@manifold/core";
import { knownTraits, type Provider, type UpstreamProtocol } from "@manifold/providers";
import type { Entry } from "../catalog.ts";

/**
 * What an entry takes on a protocol: its own traits before those of the protocol, these before its provider's, and
 * all of them before what is known of its model by name.
 */
export const traitsOf = (
  { name, traits: own }: Pick<Entry, "name" | "traits">,
  { traits, speaks }: Pick<Provider, "traits" | "speaks">,
  protocol: UpstreamProtocol,
): Traits => ({ ...knownTraits(name), ...traits, ...speaks[protocol]?.traits, ...own });

/**
 * The protocol of several that an entry is spoken to in: the caller's own, else the first; but of those where the
 * server ignores the fewest of the asks.
 */
export function protocolFor(
  able: readonly UpstreamProtocol[],
  own: string,
  ignored: (protocol: UpstreamProtocol) => number,
): UpstreamProtocol | undefined {
  let best: UpstreamProtocol | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const protocol of able.toSorted((a, b) => Number(b === own) - Number(a === own))) {
    const count = ignored(protocol);
    if (count < fewest) [best, fewest] = [protocol, count];
    if (count === 0) break;
  }
  return best;
}

/** How many of the asks a server with these traits ignores. `asks` is only called where it ignores anything. */
export function countIgnored({ ignores = [] }: Traits, asks: () => readonly Ignorable[]): number {
  return ignores.length === 0 ? 0 : asks().filter((ask) => ignores.includes(ask)).length;
}
