import type { AnyProvider, Protocol } from "@manifold-gateway/core";
import type { CallerRequest } from "@manifold-gateway/core/plan";
import type { Provider, UpstreamProtocol } from "@manifold-gateway/providers/provider";
import {
  countLost,
  type Learnt,
  type LearntTraits,
  protocolFor,
  traitsOf,
} from "@manifold-gateway/providers/routing";
import type { Codecs } from "../protocols/codecs.ts";
import { ClientRefusal } from "../reply/failure.ts";
import type { Entry } from "./entries.ts";

/** An entry in the protocol in which it is called. */
export interface Candidate {
  /** The entry's name in events: `provider/name`. */
  id: string;
  entry: Entry;
  provider: Provider;
  protocol: UpstreamProtocol;
  /** What refusals have shown of the model; absent where the body is forwarded. */
  learnt?: Learnt;
}

/** A candidate for text, with the half of the codec for its protocol. */
export interface TextCandidate extends Candidate {
  codec: AnyProvider;
}

interface CandidateServices {
  codecs: Codecs;
  learnt: LearntTraits;
}

/** An entry in the protocol that loses the fewest features of a request. */
export async function candidateFor(
  entry: Entry,
  provider: Provider,
  request: CallerRequest,
  { codecs, learnt }: CandidateServices,
): Promise<TextCandidate> {
  const caller = request.source.codec.protocol;
  const schemas = request.hasSchemas();
  const loaded = new Map<Protocol, AnyProvider>();
  const missing = new Set<Protocol>();
  const lost = (protocol: UpstreamProtocol): number => {
    const isForwarded = protocol === caller;
    const traits = traitsOf(entry, provider, protocol, isForwarded ? undefined : learnt.of(entry, protocol));
    // A protocol counts as lossless until its codec is loaded, which is only done if it would be chosen.
    return countLost(request, { protocol, traits, isForwarded, codec: loaded.get(protocol) });
  };
  for (;;) {
    const able = (Object.keys(provider.speaks) as UpstreamProtocol[]).filter((one) => !missing.has(one));
    const protocol = able.length > 1 ? protocolFor(able, caller, lost) : able[0];
    if (protocol === undefined) throw noProtocol(provider, [...missing], codecs);
    const before = loaded.get(protocol);
    const codec = before ?? (await codecs.provider(protocol, { schemas }));
    if (!codec) missing.add(protocol);
    else if (before || able.length === 1 || protocol === caller) {
      const known = protocol === caller ? undefined : learnt.of(entry, protocol);
      const id = `${provider.id}/${entry.name}`;
      return { id, entry, provider, protocol, codec, ...(known && { learnt: known }) };
    } else loaded.set(protocol, codec);
  }
}

function noProtocol({ id }: Provider, missing: readonly Protocol[], codecs: Codecs): ClientRefusal {
  const why = missing.length > 0 ? codecs.whyMissing(missing.join(", ")) : "it has no protocol for text";
  return new ClientRefusal(
    404,
    "model_not_found",
    `model: the provider '${id}' cannot be called: ${why}.`,
    "model",
  );
}
