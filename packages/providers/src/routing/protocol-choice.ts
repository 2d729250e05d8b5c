import { type AnyProvider, collectLosses } from "@manifold-gateway/core";
import { countIgnored, type Ignorable, type Traits } from "@manifold-gateway/core/codec";
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
  const first = able.find((protocol) => protocol === callerProtocol);
  let best = first;
  let fewest = first === undefined ? Number.POSITIVE_INFINITY : lost(first);
  if (fewest === 0) return first;
  for (const protocol of able) {
    if (protocol === first) continue;
    const count = lost(protocol);
    if (count < fewest) [best, fewest] = [protocol, count];
    if (count === 0) break;
  }
  return best;
}

/** The features of a request that may be lost in a protocol. Read when they are needed. */
export interface RequestedFeatures {
  /** Requested features that servers may ignore. */
  asks(): readonly Ignorable[];
  /** The parameters of the request, without the features in `asks`. */
  params(): Params;
  /** Whether the request has functions or other tools. */
  hasTools(): boolean;
}

/** The protocol in which a request may be sent to a model with these traits. */
export interface Spoken {
  /** The provider's protocol. */
  protocol: UpstreamProtocol;
  /** How the model differs from it there. */
  traits: Traits;
  /** Whether it is the caller's: the request is forwarded unchanged, so that no parameter is lost. */
  isForwarded: boolean;
  /** Absent: not loaded yet, and taken to express every parameter. */
  codec: Pick<AnyProvider, "request"> | undefined;
}

/** Counts the features of a request that would be lost if it were sent in a protocol. */
export function countLost(
  request: RequestedFeatures,
  { protocol, traits, isForwarded, codec }: Spoken,
): number {
  const { onChat, ignores } = traits;
  let count = countIgnored(ignores, request);
  if (protocol === "chatstyle" && onChat !== undefined && !(isForwarded && onChat === "unthinkingTools"))
    count += onChat === "never" || request.hasTools() ? 1 : 0;
  return isForwarded || !codec ? count : count + countInexpressible(codec, traits, request.params());
}

/** Counts the parameters that a protocol cannot express, or that a model with these traits does not accept on it. */
function countInexpressible(
  { request }: Pick<AnyProvider, "request">,
  traits: Traits,
  params: Params,
): number {
  const { losses, lose } = collectLosses();
  request.encode({ model: "", stream: false, messages: [], params }, lose, traits);
  return losses.filter(({ path, why }) => why === "unsupported" && path.startsWith("/params/")).length;
}
