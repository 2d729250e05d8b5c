import type { Operation, Service, Wire } from "./adapters/adapter.ts";
import { type Auth, bearer } from "./auth.ts";
import { type Keyed, type KeyOptions, toKeyed } from "./credentials.ts";
import type { Identity } from "./identity/index.ts";
import type { Provider } from "./provider.ts";

/** The services of providers besides text. */
export type Served = Operation | "embed" | "transcription" | "rerank" | "moderation";

/** A provider's services by operation. */
export type Serves = Partial<Record<Served, Service>>;

/** A service's differences from its provider and from its wire's usual terms. */
export interface ServiceOptions
  extends Partial<Omit<Service, "wire" | "origin" | "base" | "key" | "credentials" | "identity">> {
  wire: Wire;
  /** The keys. Default: those of its provider. */
  key?: KeyOptions | undefined;
  /** The address. Default: the provider's. A path in it replaces the wire's base path. */
  origin?: string;
}

/** The operations that a provider serves, each as a wire alone or with further settings. */
export type ServesOptions = { readonly [operation in Served]?: Wire | ServiceOptions | undefined };

/** The operations that services are for. */
export const served: readonly Served[] = [
  "image",
  "video",
  "speech",
  "asset",
  "embed",
  "transcription",
  "rerank",
  "moderation",
];

const usual = { base: "/v1", auth: bearer };
/** The usual terms of each wire. */
const habits: Record<Wire, { base: string; auth: Auth }> = {
  chatstyle: usual,
  genstyle: { base: "/v1beta", auth: { header: "x-goog-api-key" } },
  liststyle: { base: "", auth: bearer },
  mediastyle: { base: "/api/v3", auth: bearer },
  outputstyle: usual,
  pixelstyle: usual,
  predictstyle: { base: "/v1", auth: { header: "x-goog-api-key" } },
  ratiostyle: usual,
  rerankstyle: usual,
  routerstyle: { base: "/api/v1", auth: bearer },
  scorestyle: usual,
  searchstyle: { base: "/v2", auth: bearer },
  searchstyle1: usual,
  speechstyle: { base: "/api/v3", auth: { header: "x-api-key" } },
  topstyle: usual,
};
/** The wires of services. */
export const wires = Object.keys(habits) as readonly Wire[];

interface Owner {
  origin: string;
  /** The provider's keys, shared with their health by services that have none. */
  keyed: Keyed;
  /** In place of keys. */
  identity?: Identity | undefined;
  auth?: Auth | undefined;
  headers?: Record<string, string> | undefined;
  timeouts?: Provider["timeouts"] | undefined;
}

/** The services of a provider. A service without a key, headers, timeouts or address has the provider's. */
export function toServes(options: ServesOptions, owner: Owner): Serves {
  const serves: Serves = {};
  for (const operation of served) {
    const option = options[operation];
    if (option === undefined) continue;
    serves[operation] = toService(typeof option === "string" ? { wire: option } : option, owner);
  }
  return serves;
}

function toService(options: ServiceOptions, owner: Owner): Service {
  const { wire, signing, events, maxInputs } = options;
  // It identifies calls to the provider's address alone, and not those that have a key of their own.
  const identity = options.key === undefined && options.origin === undefined && !signing && owner.identity;
  const habit = habits[wire];
  const url = new URL(options.origin ?? owner.origin);
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  const headers = options.headers ?? owner.headers;
  const timeouts = options.timeouts ?? owner.timeouts;
  return {
    wire,
    origin: url.origin,
    // Signed requests name actions instead of paths.
    base: path === "" && !signing ? habit.base : path,
    auth: options.auth ?? owner.auth ?? habit.auth,
    ...(options.key === undefined ? owner.keyed : toKeyed(options.key)),
    ...(identity && { identity }),
    ...(headers && { headers }),
    ...(timeouts && { timeouts }),
    ...(signing && { signing }),
    ...(events && { events }),
    ...(maxInputs !== undefined && { maxInputs }),
  };
}
