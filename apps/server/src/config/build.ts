import type { GatewayOptions, Model, SessionOptions } from "@manifold-gateway/gateway";
import { createKeyVault, type KeyVault } from "@manifold-gateway/gateway/admin";
import {
  defineProvider,
  type Provider,
  type ProviderOptions,
  presets,
  traitsAt,
  type UpstreamProtocol,
} from "@manifold-gateway/providers";
import { dollarOf, type Price, type Unit } from "@manifold-gateway/store";
import { knownTerms, knownTermsAt } from "./known-terms.ts";
import type { Config } from "./schema.ts";

/** Converts prices in US dollars to micro-USD per million units. */
export function toPrice(price: Record<string, number | undefined>): Price {
  return Object.fromEntries(
    Object.entries(price).map(([unit, usd]) => [unit, Math.round((usd ?? 0) * dollarOf(unit as Unit))]),
  ) as Price;
}

/** Wraps a single value in a list. */
export const toList = <T>(value: T | readonly T[]): readonly T[] =>
  (Array.isArray(value) ? value : [value]) as readonly T[];

/** The providers of a configuration, by id. */
export function toProviders(config: Config): Map<string, Provider> {
  const providers = new Map<string, Provider>();
  for (const [id, options] of Object.entries(config.providers)) {
    const { preset, protocol, origin, parts: _, ...rest } = options;
    const known = preset === undefined ? undefined : presets[preset];
    const speaks = protocol === undefined ? known?.speaks : (toList(protocol) as UpstreamProtocol[]);
    const address = origin ?? known?.origin ?? "";
    const { traits: _t, protocolTraits: _p, ...terms } = known ?? {};
    const provider = defineProvider(id, {
      ...terms,
      ...(definedOnly(rest) as Omit<ProviderOptions, "origin" | "speaks">),
      serverTraits: known ?? traitsAt(address),
      origin: address,
      speaks: speaks ?? [],
    });
    providers.set(id, provider);
  }
  return providers;
}

/** A record without its undefined members. */
export function definedOnly<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}

/** The models of a configuration, in the catalog's form. */
export function toModels(config: Config): Model[] {
  const presetOf = (provider: string) => config.providers[provider]?.preset;
  return Object.entries(config.models).map(([id, model]) => ({
    id,
    ...(model.name !== undefined && { name: model.name }),
    ...(model.aliases && { aliases: model.aliases }),
    inputModalities: model.input,
    outputModalities: model.output,
    isActive: model.active,
    ...(model.answerName && { answerName: model.answerName }),
    ...(model.fallbacks && { fallbacks: model.fallbacks }),
    ...(model.cache && { cache: definedOnly(model.cache) as Model["cache"] & object }),
    revision: 1,
    entries: model.entries.map(({ active, price, protocol, known, tiers, ...entry }) => ({
      ...(known === undefined ? knownTermsAt(presetOf(entry.provider), entry.name) : knownTerms(known)),
      ...definedOnly(entry),
      provider: entry.provider,
      name: entry.name,
      priority: entry.priority,
      isActive: active,
      ...(protocol !== undefined && { speaks: toList(protocol) }),
      // A price set on the model applies to every variant, so the tiers are cleared.
      ...(price && { price: toPrice(price), ...(!tiers && { tiers: [] }) }),
      ...(tiers && {
        tiers: tiers.map(({ when, price }) => ({ ...(when && { when }), price: toPrice(price) })),
      }),
    })) as Model["entries"],
  }));
}

export const toSeal = (text: string): Uint8Array =>
  Buffer.from(text, text.length === 64 ? "hex" : "base64url");

/** The settings of the gateway that only a start applies. */
export function toGatewayOptions(config: Config) {
  // The listener has these three.
  const { connections, connectionsPerAddress, requestsPerMinutePerAddress, ...limits } = config.limits;
  return {
    admission: config.admission,
    responsesReasoning: config.responses.reasoning,
    limits,
    holds: config.holds,
    routing: config.routing,
    corsOrigins: config.server.corsOrigins,
    trustProxy: config.server.trustProxy,
    docs: config.server.docs,
    ...toAccess(config),
  } satisfies Partial<GatewayOptions>;
}

/** The accepted credentials, in the gateway's form. */
export function toAccess({
  sessions,
  keyEncryptionSecrets,
  server,
}: Config): Pick<GatewayOptions, "sessions" | "keyEncryptionSecrets" | "adminKey" | "adminKeys"> {
  return {
    keyEncryptionSecrets: keyEncryptionSecrets.map(toSeal),
    adminKeys: server.adminKeys,
    ...(server.adminKey !== undefined && { adminKey: server.adminKey }),
    ...(sessions && { sessions: toSessions(sessions) }),
  };
}

/** The key vault of a configuration; absent without a secret to encrypt with. */
export const keyVaultOf = (config: Config): KeyVault | undefined =>
  createKeyVault(toAccess(config).keyEncryptionSecrets ?? []);

function toSessions(sessions: NonNullable<Config["sessions"]>): SessionOptions {
  const { secret, publicKey, jwks, algorithm, ...rest } = sessions;
  const key = secret ? { secret } : publicKey ? { publicKey } : { jwks: jwks as string };
  return { ...rest, key, ...(algorithm && { algorithm }) };
}
