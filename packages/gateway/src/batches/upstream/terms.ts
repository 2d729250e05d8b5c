import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Credential, Provider, UpstreamProtocol } from "@manifold-gateway/providers";
import type { UpstreamBatch } from "@manifold-gateway/store";
import type { Catalog, Entry, Model } from "../../ports/catalog.ts";
import type { BatchDeps } from "../deps.ts";
import { type UpstreamWire, upstreamWires } from "./wires/index.ts";

/**
 * The destination and the price of an upstream batch. Its lines are settled by these terms even if the configuration
 * changes meanwhile.
 */
export interface UpstreamTerms {
  /** The model with its one entry, whose price is the batch's. */
  model: Model;
  protocol: UpstreamProtocol;
  /** The name of the credential, if the provider has several. */
  credential?: string;
  /** The path of its requests, below the base path. */
  path: string;
}

/** The terms for a model's entry, without fallbacks and cache, which lines of an upstream batch do not use. */
export function termsFor(
  { fallbacks: _f, cache: _c, aliases: _a, ...model }: Model,
  entry: Entry,
  price: NonNullable<Entry["price"]>,
  rest: Omit<UpstreamTerms, "model">,
): UpstreamTerms {
  return { model: { ...model, entries: [{ ...entry, price }] }, ...rest };
}

export const toStored = (terms: UpstreamTerms): JsonObject => JSON.parse(JSON.stringify(terms)) as JsonObject;
export const storedTerms = ({ terms }: Pick<UpstreamBatch, "terms">): UpstreamTerms =>
  terms as unknown as UpstreamTerms;

/** A catalog that has only the model of the upstream batch, under every name. */
export const catalogOf = ({ model }: UpstreamTerms): Catalog => ({
  get: () => model,
  list: () => [model],
  replace: () => [],
});

/** The provider of an upstream batch, with what calls to it need. */
export interface UpstreamTarget {
  provider: Provider;
  protocol: UpstreamProtocol;
  credential: Credential | undefined;
  wire: UpstreamWire;
  /** The base path. */
  base: string;
}

/** The target of an upstream batch; undefined if the provider or the credential is no longer configured. */
export function targetOf(
  { providers }: Pick<BatchDeps, "providers">,
  { model, protocol, credential: name }: UpstreamTerms,
): UpstreamTarget | undefined {
  const provider = providers.get(model.entries[0]?.provider ?? "");
  const speech = provider?.speaks[protocol];
  const wire = upstreamWires[protocol];
  if (!provider || !speech || !wire) return undefined;
  const credential = provider.credentials?.find((one) => one.name === name);
  if (name !== undefined && !credential) return undefined;
  return { provider, protocol, credential, wire, base: speech.base };
}
