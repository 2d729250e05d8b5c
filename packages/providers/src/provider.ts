import type { Protocol } from "@manifold-gateway/core";
import type { Traits } from "@manifold-gateway/core/codec";
import { type Auth, bearer } from "./auth.ts";
import { type Keyed, type KeyOptions, toKeyed } from "./credentials.ts";
import { createIdentity, type Identity, type IdentityOptions } from "./identity/index.ts";
import type { Describer } from "./listed.ts";
import { type Platform, type PlatformTerms, platforms } from "./platforms.ts";
import { type Serves, type ServesOptions, toServes } from "./serves.ts";
import type { SurchargeRow } from "./surcharges.ts";

export type { Auth };

/** The protocols that providers speak; `native` is our own and has no upstreams. */
export type UpstreamProtocol = Exclude<Protocol, "native">;

/** A provider's terms for one protocol. */
export interface Speech {
  base: string;
  auth: Auth;
  /** How its requests differ from the protocol. */
  platform?: PlatformTerms;
  /** The traits of its models on this protocol, beside those on all. */
  traits?: Traits;
}

/** A declared party that serves models. Everything a call needs to know of it is here. */
export interface Provider extends Keyed {
  id: string;
  /** Scheme, host and port. */
  origin: string;
  /** The protocols it speaks, each with the path that its endpoints stand below. */
  speaks: Partial<Record<UpstreamProtocol, Speech>>;
  /** How its text endpoints are told who calls, where that is no fixed key. */
  identity?: Identity;
  /** Where it serves pictures, films, speech, assets and embeddings. */
  serves?: Serves;
  /** Sent with every call. */
  headers?: Record<string, string>;
  /** The traits of all its models, unless a model entry says otherwise. */
  traits?: Traits;
  /** It is a router itself and knows the `provider` options of a request. */
  routes?: boolean;
  /** The items that it bills beside tokens. */
  surcharges?: readonly SurchargeRow[];
  /** The treatment of members that it bills and that have no price here. Default: they are forwarded. */
  unpriced?: "refuse" | "forward";
  /**
   * The treatment of ids that no answer of it has held: of files, containers, earlier answers. Default: forwarded.
   */
  unknownIds?: "refuse" | "forward";
  /** Milliseconds to the first byte of an answer and between two bytes of it. */
  timeouts?: { firstByte?: number; idle?: number };
  /**
   * Milliseconds that a call goes on after its client has left; then it is cancelled, and settled by what came. For
   * providers that bill nothing for what goes on. Default: the gateway's limit, for streams; other calls go on.
   */
  drain?: number;
  /** Of text and embeddings. */
  concurrency?: Concurrency;
  /** The reader of its further descriptions of models, beside its listing. */
  describes?: Describer;
}

/** The number of requests that a provider takes at one time. */
export interface Concurrency {
  maxConcurrent: number;
  /** The number that wait for a place. Default: as many as run. */
  queue?: number;
  /** The longest wait, in milliseconds. Default 5,000. */
  wait?: number;
}

/** The settings of a provider: `speaks` as a list, the rest by the protocol's habits. */
export interface ProviderOptions {
  origin: string;
  speaks: readonly UpstreamProtocol[];
  serves?: ServesOptions | undefined;
  /** Its key, or several: requests are spread over them, by conversation. */
  key?: KeyOptions | undefined;
  /** The header of the key, or how calls are authenticated without one. */
  auth?: Auth | IdentityOptions | undefined;
  /** Where it runs, if its requests differ from their protocols there. */
  platform?: Platform | undefined;
  headers?: Record<string, string> | undefined;
  traits?: Traits | undefined;
  /** Of single protocols; they go before those of all. */
  protocolTraits?: ProtocolTraits | undefined;
  routes?: boolean | undefined;
  surcharges?: readonly SurchargeRow[] | undefined;
  unpriced?: Provider["unpriced"] | undefined;
  unknownIds?: Provider["unknownIds"] | undefined;
  timeouts?: Provider["timeouts"] | undefined;
  drain?: number | undefined;
  concurrency?: Concurrency | undefined;
  describes?: Describer | undefined;
}

/** The traits of models on single protocols. */
export type ProtocolTraits = Partial<Record<UpstreamProtocol, Traits | undefined>>;

interface Habits {
  /** The path that the vendor's own endpoints stand below. */
  base: string;
  auth: Auth;
  /**
   * Client headers that go upstream: the first of `from` (the neutral spelling), sent as `to`. Of a `list` all are
   * sent, together with what the provider is always sent.
   */
  forward: readonly { from: readonly string[]; to: string; fallback?: string; list?: boolean }[];
}

/** The usual terms of each protocol. */
export const habits: Readonly<Record<UpstreamProtocol, Habits>> = {
  chatstyle: { base: "/v1", auth: bearer, forward: [] },
  responses: { base: "/v1", auth: bearer, forward: [] },
  msgstyle: {
    base: "/v1",
    auth: { header: "x-api-key" },
    forward: [
      { from: ["msgstyle-version", "anthropic-version"], to: "anthropic-version", fallback: "2023-06-01" },
      { from: ["msgstyle-beta", "anthropic-beta"], to: "anthropic-beta", list: true },
    ],
  },
  genstyle: { base: "/v1beta", auth: { header: "x-goog-api-key" }, forward: [] },
};

/** The usual terms of a protocol that a program has registered. */
const usual: Habits = { base: "/v1", auth: bearer, forward: [] };

export const habitsOf = (protocol: UpstreamProtocol): Habits =>
  Object.hasOwn(habits, protocol) ? habits[protocol] : usual;

/** A provider from its options. A path in `origin` replaces the base path of every protocol. */
export function defineProvider(id: string, options: ProviderOptions): Provider {
  const url = new URL(options.origin);
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  const { auth } = options;
  const identity = auth && "kind" in auth ? createIdentity(auth) : undefined;
  const header = auth && "kind" in auth ? undefined : auth;
  const keyed = identity ? {} : toKeyed(options.key);
  const speaks: Provider["speaks"] = {};
  const terms: Partial<Record<UpstreamProtocol, PlatformTerms>> = options.platform
    ? platforms[options.platform]
    : {};
  for (const protocol of options.speaks) {
    const platform = terms[protocol];
    const habit = habitsOf(protocol);
    const traits = options.protocolTraits?.[protocol];
    speaks[protocol] = {
      base: path === "" ? (platform?.base ?? habit.base) : path,
      auth: header ?? habit.auth,
      ...(platform && { platform }),
      ...(traits && { traits }),
    };
  }
  return {
    id,
    origin: url.origin,
    speaks,
    // Other services are called with a key.
    ...(options.serves &&
      !identity && { serves: toServes(options.serves, { ...options, auth: header, keyed }) }),
    ...(identity && { identity }),
    ...keyed,
    ...(options.headers && { headers: options.headers }),
    ...(options.traits && { traits: options.traits }),
    ...(options.routes && { routes: true }),
    ...(options.surcharges && { surcharges: options.surcharges }),
    ...(options.unpriced && { unpriced: options.unpriced }),
    ...(options.unknownIds && { unknownIds: options.unknownIds }),
    ...(options.timeouts && { timeouts: options.timeouts }),
    ...(options.drain !== undefined && { drain: options.drain }),
    ...(options.concurrency && { concurrency: options.concurrency }),
    ...(options.describes && { describes: options.describes }),
  };
}
