import type { Protocol } from "@manifold-gateway/core";
import { type Ignorable, sealedFor } from "@manifold-gateway/core/codec";
import type { Params } from "@manifold-gateway/core/ir";
import type { Credential, Provider, UpstreamProtocol } from "@manifold-gateway/providers";
import type { JsonBody } from "../http/json-body.ts";
import type { CredentialChoice, Routing, Served } from "../ports/routing.ts";
import type { Candidate, Open, Rejection } from "./candidate.ts";
import { readPreferences } from "./preferences.ts";
import { type OperationStanding, type RoutingDeps, type Selection, selectEntries } from "./select.ts";
import { conversationKey, needsSameEntry } from "./session-affinity.ts";
import { termsOf } from "./terms.ts";
import { countIgnored, countUnsaid, protocolFor, traitsOf } from "./traits.ts";

interface Deps extends RoutingDeps {
  routing: Pick<Routing, "breakers" | "affinity" | "credentials">;
}

export interface RouteAsk {
  /** The model's name as the caller wrote it. */
  model: string;
  /** The caller's protocol. */
  protocol: Protocol;
  body: JsonBody;
  account: string;
  /** Requested features that servers may ignore. Default: none. */
  asks?(): readonly Ignorable[];
  /** The parameters of the request, without the features in `asks`. */
  params?(): Params;
  /** The output that the model has to generate. Default: `text`. */
  makes?: "text" | "embedding";
  /** Whether a protocol has the operation; others are left out. */
  can?(protocol: UpstreamProtocol): boolean;
  /** The protocol of a provider's separate endpoint for the operation, if it has one: then no other is used. */
  separateProtocol?(provider: Provider): UpstreamProtocol | undefined;
  /** The credentials of an entry, if there are several. Default: its provider's. */
  credentials?(candidate: Candidate): readonly Credential[] | undefined;
  /** The key of the weighted draw for a request outside any conversation. Default: the conversation's. */
  identity?: string;
  /** The name of the provider's credential that created the object named in the request. */
  maker?(provider: string): string | undefined;
}

/** The route of a request in a protocol. */
export interface RoutePlan extends Selection<Candidate> {
  /** The conversation's key for affinity; undefined as long as no choice has needed it. */
  conversation(): string | undefined;
  /** The credentials with which an entry may be called; undefined if there is a single one. */
  credentials(candidate: Candidate): CredentialChoice | undefined;
}

/** The entries of a model that can serve a request, in order. If there is none, throws a refusal with the reasons. */
export function findRoute(deps: Deps, ask: RouteAsk): RoutePlan {
  const { model, account, body, makes: operation = "text", identity } = ask;
  const { affinity, credentials: pool } = deps.routing;
  let conversation: string | undefined;
  const conversed = (): string => {
    conversation ??= conversationKey(account, model, body);
    return conversation;
  };
  let bound: boolean | undefined;
  /** Whether something of the conversation would be lost at another entry than its last one. */
  const isBound = (): boolean => {
    bound ??= needsSameEntry(body.lazy, body.protocols.namesOf("bound"));
    return bound;
  };
  const served = (): Served | undefined => (isBound() ? affinity.get(conversed()) : undefined);
  const credentials = (candidate: Candidate): CredentialChoice | undefined => {
    const all = ask.credentials ? ask.credentials(candidate) : candidate.provider.credentials;
    if (!all) return undefined;
    const maker = ask.maker?.(candidate.provider.id);
    // An object that one credential created is not visible to the provider's others.
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

/** The entry with its price and the protocol in which it is called, or the reason to skip it. */
function speak(
  { protocol, body, can, separateProtocol, asks = () => [], params = () => ({}) }: RouteAsk,
  open: Open,
): Candidate | Rejection {
  const { entry, provider } = open;
  const place = separateProtocol?.(provider);
  const spoken = place ? [place] : (entry.speaks ?? (Object.keys(provider.speaks) as UpstreamProtocol[]));
  const able = can ? spoken.filter(can) : spoken;
  const lost = (one: UpstreamProtocol): number => {
    const traits = traitsOf(entry, provider, one);
    const ignored = countIgnored(traits, asks);
    // A request in the caller's protocol is forwarded unchanged: no parameter is lost.
    return one === protocol ? ignored : ignored + countUnsaid(body.protocols.codecs[one], traits, params());
  };
  const selected = able.length > 1 ? protocolFor(able, protocol, lost) : able[0];
  if (!selected) return { why: "no_protocol" };
  const terms = termsOf(entry, provider);
  return terms ? { ...open, protocol: selected, terms } : { why: "unpriced" };
}

function standingsOf(
  { protocol, body }: RouteAsk,
  isBound: boolean,
  served: Served | undefined,
): (candidate: Candidate) => OperationStanding {
  const sealed = isBound ? sealedFor(body.skeleton.text, body.protocols) : undefined;
  return ({ id, protocol: spoken, terms: { price } }) => ({
    stuck: id === served?.entry ? 0 : spoken === sealed ? 1 : 2,
    native: spoken === protocol,
    price: (price.input ?? 0) + (price.output ?? 0),
  });
}
