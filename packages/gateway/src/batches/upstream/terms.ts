import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Credential, Provider, UpstreamProtocol } from "@manifold-gateway/providers";
import type { UpstreamBatch } from "@manifold-gateway/store";
import type { Catalog, Entry, Model } from "../../ports/catalog.ts";
import type { BatchDeps } from "../deps.ts";
import { type UpstreamWire, upstreamWires } from "./wires/index.ts";

/**
 * Where a provider's batch is sent, and at which price. Its lines are settled by these terms, whatever becomes of the
 * configuration meanwhile.
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

/** The terms for a model's entry. Fallbacks and caches are not for the lines of such a batch. */
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

/** The one model of a batch, by whatever name a line requests it. */
export const catalogOf = ({ model }: UpstreamTerms): Catalog => ({
  get: () => model,
  list: () => [model],
  replace: () => [],
});

/** A provider as a batch is sent to it. */
export interface UpstreamTarget {
  provider: Provider;
  protocol: UpstreamProtocol;
  credential: Credential | undefined;
  wire: UpstreamWire;
  /** The base path. */
  base: string;
}

/** The target of a batch; undefined if the provider, or its credential, is configured no more. */
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
