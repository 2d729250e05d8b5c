import type { Protocol } from "@manifold-gateway/core";
import { type Ignorable, sealedFor } from "@manifold-gateway/core/codec";
import type { Params } from "@manifold-gateway/core/ir";
import type { Provider, UpstreamProtocol } from "@manifold-gateway/providers";
import type { JsonBody } from "../http/json-body.ts";
import type { Routing } from "../ports/routing.ts";
import type { Candidate, Open, Rejection } from "./candidate.ts";
import { readPreferences } from "./preferences.ts";
import { type OwnStanding, type RoutingDeps, type Selection, selectEntries } from "./select.ts";
import { conversationKey, needsSameEntry } from "./session-affinity.ts";
import { termsOf } from "./terms.ts";
import { countIgnored, countUnsaid, protocolFor, traitsOf } from "./traits.ts";

interface Deps extends RoutingDeps {
  routing: Pick<Routing, "breakers" | "affinity">;
}

export interface RouteAsk {
  /** The caller's name for it. */
  model: string;
  /** The caller's. */
  protocol: Protocol;
  body: JsonBody;
  account: string;
  /** Requested features that servers may ignore. Default: nothing. */
  asks?(): readonly Ignorable[];
  /** The parameters of the request, beside what `asks` has. */
  params?(): Params;
  /** The outputs that the model has to make. Default: `text`. */
  makes?: "text" | "embedding";
  /** Leaves out protocols that do not have the operation. */
  can?(protocol: UpstreamProtocol): boolean;
  /** The protocol of a place where a provider has the operation apart from text: it counts alone. */
  apart?(provider: Provider): UpstreamProtocol | undefined;
}

/** The entries for a request in a protocol. */
export interface RoutePlan extends Selection<Candidate> {
  /** Present where there is a choice: the name that the conversation is remembered by. */
  conversation?: string;
}

/** The entries of a model that a request may be sent to, in order. Refuses where there is none, and says why. */
export function findRoute(deps: Deps, ask: RouteAsk): RoutePlan {
  const { model, account, body, makes: operation = "text" } = ask;
  let conversation: string | undefined;
  const selection = selectEntries<Candidate>(deps, {
    operation,
    model,
    account,
    preferences: readPreferences(body.value.provider, model),
    fit: (open) => speak(ask, open),
    standings() {
      conversation = conversationKey(account, model, body.value);
      return standingsOf(deps, ask, conversation);
    },
  });
  return { ...selection, ...(conversation !== undefined && { conversation }) };
}

/** The entry in the protocol that it is spoken to in, with its price. */
function speak(
  { protocol, can, apart, asks = () => [], params = () => ({}) }: RouteAsk,
  open: Open,
): Candidate | Rejection {
  const { entry, provider } = open;
  const place = apart?.(provider);
  const spoken = place ? [place] : (entry.speaks ?? (Object.keys(provider.speaks) as UpstreamProtocol[]));
  const able = can ? spoken.filter(can) : spoken;
  const lost = (one: UpstreamProtocol): number => {
    const traits = traitsOf(entry, provider, one);
    const ignored = countIgnored(traits, asks);
    // A request that is forwarded as it came says all of it.
    return one === protocol ? ignored : ignored + countUnsaid(one, traits, params());
  };
  const own = able.length > 1 ? protocolFor(able, protocol, lost) : able[0];
  if (!own) return { why: "no_protocol" };
  const terms = termsOf(entry, provider);
  return terms ? { ...open, protocol: own, terms } : { why: "unpriced" };
}

function standingsOf(
  { routing: { affinity: sticky } }: Deps,
  { protocol, body }: RouteAsk,
  conversation: string,
): (candidate: Candidate) => OwnStanding {
  const bound = needsSameEntry(body.brief);
  const served = bound ? sticky.get(conversation) : undefined;
  const sealed = bound ? sealedFor(body.outline.text) : undefined;
  return ({ id, protocol: spoken, terms: { price } }) => ({
    stuck: id === served ? 0 : spoken === sealed ? 1 : 2,
    native: spoken === protocol,
    price: (price.input ?? 0) + (price.output ?? 0),
  });
}
