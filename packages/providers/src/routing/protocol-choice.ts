import { type AnyProvider, collectLosses } from "@manifold-gateway/core";
import type { Traits } from "@manifold-gateway/core/codec";
import type { Params } from "@manifold-gateway/core/ir";
import type { UpstreamProtocol } from "../provider.ts";

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
export function countUnsaid(
  { request }: Pick<AnyProvider, "request">,
  traits: Traits,
  params: Params,
): number {
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
