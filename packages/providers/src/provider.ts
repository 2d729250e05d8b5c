import type { Protocol } from "@manifold-gateway/core";
import { compact, type Traits } from "@manifold-gateway/core/codec";
import { type Auth, bearer } from "./auth.ts";
import { type Keyed, type KeyOptions, toKeyed } from "./credentials.ts";
import { namedEvents } from "./frames/named-events.ts";
import { BINARY, type Framing } from "./frames/reframe.ts";
import type { Identity, IdentityOptions } from "./identity/index.ts";
import type { Describer } from "./model-description.ts";
import { originTraits } from "./origin-traits.ts";
import { type Platform, type PlatformTerms, platforms } from "./platforms.ts";
import { type Serves, type ServesOptions, toServes } from "./services.ts";
import type { SurchargeRow } from "./surcharges.ts";

export type { Auth };

/** The protocols that providers speak; `native` is this service's own, and no provider speaks it. */
export type UpstreamProtocol = Exclude<Protocol, "native">;

/** A provider's terms for one protocol. */
export interface Speech {
  /** The base path of its endpoints. */
  base: string;
  /** How calls are authenticated. */
  auth: Auth;
  /** The differences of its requests from the protocol. */
  platform?: PlatformTerms;
  /** The framing of streams. Default: server-sent events. */
  framing?: Framing;
  /** The traits of its models on this protocol, in addition to those on all. */
  traits?: Traits;
  /** What is known of its server on this protocol: all other traits but those of model families take precedence. */
  serverTraits?: Traits;
}

/** The batches that a provider runs by itself, at a price of their own. */
export interface ProviderBatches {
  /** The protocols of the requests that they may have. */
  protocols: readonly UpstreamProtocol[];
  /** The share of the usual token prices that such a request costs: `0.5`. */
  factor: number;
}

/** A declared party that serves models, with all that a call to it needs. */
export interface Provider extends Keyed {
  /** Its name in the configuration, in targets and in logs: `anthropic`. */
  id: string;
  /** Scheme, host and port. */
  origin: string;
  /** The protocols that it speaks, each with the base path of its endpoints. */
  speaks: Partial<Record<UpstreamProtocol, Speech>>;
  /** The authentication of its text endpoints, if they have no fixed key. */
  identity?: Identity;
  /** Its services besides text. */
  serves?: Serves;
  /** The headers of every call. */
  headers?: Record<string, string>;
  /** The traits of all its models, unless a model entry says otherwise. */
  traits?: Traits;
  /** True if it is a router itself and accepts the `provider` options of a request. */
  routes?: boolean;
  /** The items that it bills besides tokens. */
  surcharges?: readonly SurchargeRow[];
  /** The batches that it runs by itself. Absent: requests of batches are sent to it one by one. */
  batches?: ProviderBatches;
  /** The treatment of request members that it bills but that have no price here. Default: forwarded. */
  unpriced?: "refuse" | "forward";
  /**
   * The treatment of ids (of files, containers, earlier answers) that were in none of its answers. Default: forwarded.
   */
  unknownIds?: "refuse" | "forward";
  /** The milliseconds to the first byte of an answer, and between two bytes. */
  timeouts?: { firstByte?: number; idle?: number };
  /**
   * The milliseconds that a call goes on after its client has left; then it is cancelled and settled by what arrived.
   * For providers that do not bill output after that. Default: the gateway's limit for streams; other calls go on.
   */
  drain?: number;
  /** The limit on concurrent requests for text, embeddings, rankings and moderations. */
  concurrency?: Concurrency;
  /** The path and query of its list of models, or `false` if it has none. Default: `/models` of its first protocol. */
  listing?: string | false;
  /** The reader of its descriptions of models, besides its listing. */
  describes?: Describer;
  /** The public price list's name for it. Default: it is found by its id or address. */
  priceList?: string;
}

/** The limit on requests to a provider at one time. */
export interface Concurrency {
  /** The most requests at one time. */
  maxConcurrent: number;
  /** The most requests that wait for a slot. Default: `maxConcurrent`. */
  queue?: number;
  /** The longest wait, in milliseconds. Default 5,000. */
  wait?: number;
}

/** The settings of a provider: `speaks` as a list, and all else defaults to the protocol's usual terms. */
export interface ProviderOptions {
  /** Its address: `https://api.example.com`. A path in it replaces the base path of every protocol. */
  origin: string;
  /** The protocols that it speaks. Of several, the one that loses the least of a request is used, then the first. */
  speaks: readonly UpstreamProtocol[];
  /**
   * The base paths of protocols that are not at `origin`: references that are resolved against it, such as
   * `../anthropic/v1`.
   */
  basePaths?: Partial<Record<UpstreamProtocol, string | undefined>> | undefined;
  /** Its services besides text. */
  serves?: ServesOptions | undefined;
  /** Its key, or several keys over which conversations are distributed. */
  key?: KeyOptions | undefined;
  /** The header of the key, or the authentication without one: a key takes its place. */
  auth?: Auth | IdentityOptions | undefined;
  /** The platform, if requests there differ from their protocols. */
  platform?: Platform | undefined;
  /** Headers of every call. */
  headers?: Record<string, string> | undefined;
  /** How all its models differ from their protocols, unless a model entry says otherwise. */
  traits?: Traits | undefined;
  /** The traits on single protocols, which override those on all. */
  protocolTraits?: ProtocolTraits | undefined;
  /** What is known of its server, as of presets: these traits override those of model families, and no others. */
  serverTraits?: { traits?: Traits; protocolTraits?: ProtocolTraits } | undefined;
  /** True if it is a router itself and accepts the `provider` options of a request. */
  routes?: boolean | undefined;
  /** The items that it bills besides tokens. */
  surcharges?: readonly SurchargeRow[] | undefined;
  /** The batches that it runs by itself. `false`: none, whatever its preset says. */
  batches?: ProviderBatches | false | undefined;
  /** The treatment of request members that it bills but that have no price here; default: forwarded. */
  unpriced?: Provider["unpriced"] | undefined;
  /** The treatment of ids that were in none of its answers; default: forwarded. */
  unknownIds?: Provider["unknownIds"] | undefined;
  /** The milliseconds to the first byte of an answer, and between two bytes. */
  timeouts?: Provider["timeouts"] | undefined;
  /** The milliseconds that a call goes on after its client has left; see `Provider.drain`. */
  drain?: number | undefined;
  /** The limit on concurrent requests for text, embeddings, rankings and moderations; default: none. */
  concurrency?: Concurrency | undefined;
  /** Its list of models, if it is elsewhere: a reference that is resolved against `origin`. `false`: it has none. */
  listing?: string | false | undefined;
  /** The reader of its descriptions of models, besides its listing. */
  describes?: Describer | undefined;
  /** The public price list's name for it; default: it is found by its id or address. */
  priceList?: string | undefined;
}

/** The traits of models on single protocols. */
export type ProtocolTraits = Partial<Record<UpstreamProtocol, Traits | undefined>>;

interface Habits {
  /** The base path of the vendor's own endpoints. */
  base: string;
  auth: Auth;
  /**
   * The client headers to forward: the first of `from` (the neutral spelling) is sent as `to`. With `list`, all are
   * joined with the value that the provider always gets.
   */
  forward: readonly { from: readonly string[]; to: string; fallback?: string; list?: boolean }[];
  /** The framing of streams. Default: server-sent events. */
  framing?: Framing;
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
  conversestyle: { base: "", auth: bearer, forward: [], framing: { contentType: BINARY, read: namedEvents } },
};

/** The usual terms of a protocol that a program has registered. */
const usual: Habits = { base: "/v1", auth: bearer, forward: [] };

export const habitsOf = (protocol: UpstreamProtocol): Habits =>
  Object.hasOwn(habits, protocol) ? habits[protocol] : usual;

/** Resolves a reference against the address of a provider, whose path names a folder. */
const resolve = (reference: string, origin: URL): URL =>
  new URL(reference, `${origin.origin}${withoutSlash(origin.pathname)}/`);

const pathOf = ({ pathname, search }: URL): string => pathname + search;

const withoutSlash = (path: string): string => path.replace(/(?<!\/)\/+$/, "");

const noIdentity = ({ kind }: IdentityOptions): never => {
  throw new TypeError(`auth: the program is made without the identity '${kind}'.`);
};

/** The address of a provider's options, which a program may have read from where no compiler sees them. */
function addressOf(id: string, { origin, speaks }: ProviderOptions): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  // Without a scheme, the host of `localhost:8000` would be taken for one.
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      `provider '${id}': origin: '${origin}' is no address with http: or https:, such as https://api.example.com.`,
    );
  if (!Array.isArray(speaks))
    throw new TypeError(`provider '${id}': speaks: it must be a list of protocols.`);
  return url;
}

/**
 * Creates a provider as `defineProvider` does. `identify` makes the identity of an `auth` other than a header; without it,
 * as in a bundle without the libraries that identities need, such an `auth` throws. Throws a `TypeError` that names the
 * member that is wrong.
 */
export function createProvider(
  id: string,
  options: ProviderOptions,
  identify: (options: IdentityOptions) => Identity = noIdentity,
): Provider {
  const url = addressOf(id, options);
  const { auth, listing } = options;
  const declared = auth && "kind" in auth ? auth : undefined;
  const header = auth && "kind" in auth ? undefined : auth;
  const identity = declared && options.key === undefined ? identify(declared) : undefined;
  const isSigned = identity !== undefined && declared?.kind === "aws";
  const keyed = identity ? {} : toKeyed(options.key);
  const speeches = options.speaks.map((protocol) => [protocol, speechOf(protocol, options, url, header)]);
  return compact({
    id,
    origin: url.origin,
    speaks: Object.fromEntries(speeches),
    // A signature covers the whole body, which other services may send in pieces.
    serves:
      options.serves && !isSigned
        ? toServes(options.serves, { ...options, auth: header, keyed, identity })
        : undefined,
    identity,
    ...keyed,
    headers: options.headers,
    traits: options.traits,
    routes: options.routes || undefined,
    surcharges: options.surcharges,
    // They are at fixed paths beside those of text, for which platforms and signed calls have others.
    batches: identity || options.platform ? undefined : options.batches || undefined,
    unpriced: options.unpriced,
    unknownIds: options.unknownIds,
    timeouts: options.timeouts,
    drain: options.drain,
    concurrency: options.concurrency,
    listing: listing && pathOf(resolve(listing, url)),
    describes: options.describes,
    priceList: options.priceList || undefined,
  }) as Provider;
}

/** The terms of one of a provider's protocols. `header` is the authentication that its options declare for all. */
function speechOf(
  protocol: UpstreamProtocol,
  { platform: platformId, basePaths, protocolTraits, serverTraits: known }: ProviderOptions,
  url: URL,
  header: Auth | undefined,
): Speech {
  const habit = habitsOf(protocol);
  const terms: Partial<Record<UpstreamProtocol, PlatformTerms>> = platformId ? platforms[platformId] : {};
  const platform = terms[protocol];
  const basePath = basePaths?.[protocol];
  const serverTraits = {
    ...originTraits(url),
    ...platform?.traits,
    ...known?.traits,
    ...known?.protocolTraits?.[protocol],
  };
  return compact({
    base:
      basePath === undefined
        ? withoutSlash(url.pathname) || (platform?.base ?? habit.base)
        : withoutSlash(resolve(basePath, url).pathname),
    auth: header ?? habit.auth,
    platform,
    framing: platform?.framing ?? habit.framing,
    traits: protocolTraits?.[protocol],
    serverTraits: Object.keys(serverTraits).length > 0 ? serverTraits : undefined,
  }) as Speech;
}
