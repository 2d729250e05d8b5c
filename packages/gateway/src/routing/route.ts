import type { Protocol } from "@manifold-gateway/core";
import { type Ignorable, sealedFor } from "@manifold-gateway/core/codec";
import type { Params } from "@manifold-gateway/core/ir";
import type { Credential, Provider, UpstreamProtocol } from "@manifold-gateway/providers";
import type { JsonBody } from "../http/json-body.ts";
import type { CredentialChoice, Routing, Served } from "../ports/routing.ts";
import type { Candidate, Open, Rejection } from "./candidate.ts";
import { readPreferences } from "./preferences.ts";
import { type OwnStanding, type RoutingDeps, type Selection, selectEntries } from "./select.ts";
import { conversationKey, needsSameEntry } from "./session-affinity.ts";
import { termsOf } from "./terms.ts";
import { countIgnored, countUnsaid, protocolFor, traitsOf } from "./traits.ts";

interface Deps extends RoutingDeps {
  routing: Pick<Routing, "breakers" | "affinity" | "credentials">;
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
  /** The credentials of an entry, where there are several. Default: its provider's. */
  credentials?(candidate: Candidate): readonly Credential[] | undefined;
  /** The identity of a request that is no part of a conversation. Default: its conversation's. */
  identity?: string;
  /** The name of the credential at a provider that has made what the request names. */
  maker?(provider: string): string | undefined;
}

/** The entries for a request in a protocol. */
export interface RoutePlan extends Selection<Candidate> {
  /** The name that the conversation is remembered by; nothing as long as there was no choice. */
  conversation(): string | undefined;
  /** The credentials that the request may be sent with to an entry; nothing where there is a single one. */
  credentials(candidate: Candidate): CredentialChoice | undefined;
}

/** The entries of a model that a request may be sent to, in order. Refuses where there is none, and says why. */
export function findRoute(deps: Deps, ask: RouteAsk): RoutePlan {
  const { model, account, body, makes: operation = "text", identity } = ask;
  const { affinity, credentials: pool } = deps.routing;
  let conversation: string | undefined;
  const conversed = (): string => {
    conversation ??= conversationKey(account, model, body.value);
    return conversation;
  };
  let bound: boolean | undefined;
  /** Whether something would be lost elsewhere than where the conversation was. */
  const isBound = (): boolean => {
    bound ??= needsSameEntry(body.brief);
    return bound;
  };
  const served = (): Served | undefined => (isBound() ? affinity.get(conversed()) : undefined);
  const credentials = (candidate: Candidate): CredentialChoice | undefined => {
    const all = ask.credentials ? ask.credentials(candidate) : candidate.provider.credentials;
    if (!all) return undefined;
    const maker = ask.maker?.(candidate.provider.id);
    // What one account of a vendor has made, its others cannot find.
    const made = maker === undefined ? undefined : all.find(({ name }) => name === maker);
    const before = served();
    return {
      credentials: made ? [made] : all,
      identity: () => identity ?? conversed(),
      ...(before?.entry === candidate.id && { preferred: before.credential }),
    };
  };
  const selection = selectEntries<Candidate>(deps, {
    operation,
    model,
    account,
    preferences: readPreferences(body.value.provider, model),
    fit: (open) => speak(ask, open),
    identity: () => identity ?? conversed(),
    standings() {
      conversed();
      return standingsOf(ask, isBound(), served());
    },
  });
  return {
    ...selection,
    places: (candidates) =>
      (selection.places?.(candidates) ?? []).map((place, at) => {
        const choice = credentials(candidates[at] as Candidate);
        const credential = choice && pool.peek(choice)?.name;
        return { ...place, ...(credential !== undefined && { credential }) };
      }),
    credentials,
    conversation: () => conversation,
  };
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
  { protocol, body }: RouteAsk,
  isBound: boolean,
  served: Served | undefined,
): (candidate: Candidate) => OwnStanding {
  const sealed = isBound ? sealedFor(body.outline.text) : undefined;
  return ({ id, protocol: spoken, terms: { price } }) => ({
    stuck: id === served?.entry ? 0 : spoken === sealed ? 1 : 2,
    native: spoken === protocol,
    price: (price.input ?? 0) + (price.output ?? 0),
  });
}
