import type { Protocols } from "@manifold-gateway/core";
import { countIgnored } from "@manifold-gateway/core/codec";
import type { CallerRequest } from "@manifold-gateway/core/plan";
import type { Provider, UpstreamProtocol } from "@manifold-gateway/providers";
import {
  countOffChat,
  countUnsaid,
  type Learnt,
  type LearntTraits,
  protocolFor,
  traitsOf,
} from "@manifold-gateway/providers/routing";
import { ClientRefusal } from "../reply/failure.ts";
import type { Entry } from "./entries.ts";

/** An entry in the protocol in which it is called. */
export interface Candidate {
  /** The entry's name in events and errors: `provider/name`. */
  id: string;
  entry: Entry;
  provider: Provider;
  protocol: UpstreamProtocol;
  learnt?: Learnt;
}

interface Routing {
  protocols: Protocols;
  learnt: LearntTraits;
}

/** The protocol in which an entry is called for a request: the one that loses the fewest of its features. */
export function candidateFor(
  entry: Entry,
  provider: Provider,
  request: CallerRequest,
  { protocols, learnt }: Routing,
): Candidate {
  const caller = request.source.codec.protocol;
  const lost = (protocol: UpstreamProtocol): number => {
    const isForwarded = protocol === caller;
    const traits = traitsOf(entry, provider, protocol, isForwarded ? undefined : learnt.of(entry, protocol));
    const refused = protocol === "chatstyle" ? countOffChat(traits, request, isForwarded) : 0;
    const ignored = countIgnored(traits.ignores, request) + refused;
    return isForwarded
      ? ignored
      : ignored + countUnsaid(protocols.codecs[protocol], traits, request.params());
  };
  const able = Object.keys(provider.speaks) as UpstreamProtocol[];
  const protocol = able.length > 1 ? protocolFor(able, caller, lost) : able[0];
  if (protocol === undefined)
    throw new ClientRefusal(
      404,
      "model_not_found",
      `model: the provider '${provider.id}' of '${request.source.model}' has no protocol for text.`,
      "model",
    );
  const known = protocol === caller ? undefined : learnt.of(entry, protocol);
  return {
    id: `${provider.id}/${entry.name}`,
    entry,
    provider,
    protocol,
    ...(known && { learnt: known }),
  };
}
