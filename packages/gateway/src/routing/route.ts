import type { Protocol } from "@manifold-gateway/core";
import { sealedFor } from "@manifold-gateway/core/codec";
import type { Credential, Provider, UpstreamProtocol } from "@manifold-gateway/providers";
import {
  countLost,
  protocolFor,
  type RequestedFeatures,
  traitsOf,
} from "@manifold-gateway/providers/routing";
import type { JsonBody } from "../http/json-body.ts";
import type { CredentialChoice, Routing, Served } from "../ports/routing.ts";
import { type Candidate, candidateOf, type Open, type Skip } from "./candidate.ts";
import type { Operation } from "./operation.ts";
import { noPreferences, readPreferences } from "./preferences.ts";
import {
  type EntryRules,
  type OperationStanding,
  type RoutingDeps,
  type Selection,
  selectEntries,
} from "./select.ts";
import { conversationKey, needsSameEntry } from "./session-affinity.ts";
import { termsOf, whyUnpriced } from "./terms.ts";

interface Deps extends RoutingDeps {
  routing: Pick<Routing, "breakers" | "affinity" | "learnt">;
}

/** An operation in which requests are sent by protocol. */
export interface RoutedOperation {
  /** The output that the model has to generate. */
  makes: Operation;
  /** Whether an entry can be called in a protocol for the operation; others are left out. Default: in all. */
  can?(protocol: UpstreamProtocol, open: Open): boolean;
  /** The protocol of a provider's separate endpoint for the operation, if it has one: then no other is used. */
  separateProtocol?(provider: Provider): UpstreamProtocol | undefined;
  /** The credentials of an entry, if there are several. Default: its provider's. */
  credentials?(candidate: Candidate): readonly Credential[] | undefined;
}

export interface RouteAsk {
  /** Default: text. */
  operation?: RoutedOperation;
  /** The model's name as the caller wrote it. */
  model: string;
  /** The caller's protocol. */
  protocol: Protocol;
  body: JsonBody;
  account: string;
  /** Default: none. */
  features?: RequestedFeatures;
  /** The key of the weighted draw for a request outside any conversation. Default: the conversation's. */
  identity?: string;
  /** The names of the credentials that created the objects named in the request, by provider. */
  makers?: ReadonlyMap<string, string> | undefined;
}

/** The route of a request in a protocol. */
export type RoutePlan = Selection<Candidate, ProtocolRules>;

const text: RoutedOperation = { makes: "text" };

/** The entries of a model that can serve a request, in order. If there is none, throws a refusal with the reasons. */
export function findRoute(deps: Deps, ask: RouteAsk): RoutePlan {
  const { model, account, body, operation = text } = ask;
  const { provider } = body.value;
  const preferences = provider === undefined ? noPreferences : readPreferences(provider, model);
  const rules = new ProtocolRules(ask, deps.routing);
  return selectEntries(deps, { operation: operation.makes, model, account, preferences }, rules);
}

/** The rules for entries that are called in a protocol. What they read from the request is read once. */
export class ProtocolRules implements EntryRules<Candidate> {
  readonly #ask: RouteAsk;
  readonly #routing: Pick<Routing, "affinity" | "learnt">;
  /** The conversation's key for affinity; undefined as long as no choice has needed it. */
  conversation: string | undefined = undefined;
  #isBound: boolean | undefined = undefined;
  #sealed: { by: Protocol | undefined } | undefined = undefined;

  constructor(ask: RouteAsk, routing: Pick<Routing, "affinity" | "learnt">) {
    this.#ask = ask;
    this.#routing = routing;
  }

  /** The entry with its price and the protocol in which it is called, or the reason to skip it. */
  fit(open: Open): Candidate | Skip {
    const { protocol, operation = text } = this.#ask;
    const { entry, provider } = open;
    const separate = operation.separateProtocol?.(provider);
    const spoken = separate
      ? [separate]
      : (entry.speaks ?? (Object.keys(provider.speaks) as UpstreamProtocol[]));
    const able = operation.can ? spoken.filter((one) => operation.can?.(one, open)) : spoken;
    const selected =
      able.length > 1 ? protocolFor(able, protocol, (one) => this.#countLost(open, one)) : able[0];
    if (!selected) return { why: "no_protocol" };
    const terms = termsOf(entry, provider);
    if (!terms?.sells.has(operation.makes))
      return whyUnpriced(entry.price, operation.makes) ?? { why: "unpriced" };
    const learnt = selected === protocol ? undefined : this.#routing.learnt?.of(entry, selected);
    return candidateOf(open, selected, terms, learnt);
  }

  identity(): string {
    return this.#ask.identity ?? this.#conversationKey();
  }

  standing({ id, protocol, terms: { price } }: Candidate): OperationStanding {
    this.#conversationKey();
    const sealed = this.#needsSameEntry() ? this.#sealedBy() : undefined;
    return {
      affinity: id === this.#served()?.entry ? 0 : protocol === sealed ? 1 : 2,
      native: protocol === this.#ask.protocol,
      price: (price.input ?? 0) + (price.output ?? 0),
    };
  }

  credentials(candidate: Candidate): CredentialChoice | undefined {
    const { operation = text, makers } = this.#ask;
    const { id, provider } = candidate;
    const all = operation.credentials ? operation.credentials(candidate) : provider.credentials;
    if (!all) return undefined;
    const maker = makers?.get(provider.id);
    // An object that one credential created is not visible to the provider's others.
    const made = maker === undefined ? undefined : all.find(({ name }) => name === maker);
    const served = this.#served();
    return {
      credentials: made ? [made] : all,
      identity: () => this.identity(),
      ...(served?.entry === id && { preferred: served.credential }),
    };
  }

  /** Counts the parts of the request that would be lost if the entry is called in a protocol. */
  #countLost({ entry, provider }: Open, protocol: UpstreamProtocol): number {
    const { features, body } = this.#ask;
    if (!features) return 0;
    const isForwarded = protocol === this.#ask.protocol;
    const learnt = isForwarded ? undefined : this.#routing.learnt?.of(entry, protocol);
    const traits = traitsOf(entry, provider, protocol, learnt);
    return countLost(features, { protocol, traits, isForwarded, codec: body.protocols.codecs[protocol] });
  }

  #conversationKey(): string {
    const { account, model, body } = this.#ask;
    this.conversation ??= conversationKey(account, model, body);
    return this.conversation;
  }

  /** Whether something of the conversation would be lost at another entry than its last one. */
  #needsSameEntry(): boolean {
    const { body } = this.#ask;
    this.#isBound ??= needsSameEntry(body.lazy, body.protocols.namesOf("bound"));
    return this.#isBound;
  }

  #served(): Served | undefined {
    return this.#needsSameEntry() ? this.#routing.affinity.get(this.#conversationKey()) : undefined;
  }

  /** The protocol of the vendor whose seals the request contains. */
  #sealedBy(): Protocol | undefined {
    const { body } = this.#ask;
    this.#sealed ??= { by: sealedFor(body.skeleton.text, body.protocols) };
    return this.#sealed.by;
  }
}
