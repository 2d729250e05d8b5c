import { type EmbedCodec, embedCodecs, embedWires } from "@manifold-gateway/core/operations";
import type { Provider, Service, UpstreamProtocol } from "@manifold-gateway/providers";
import type { Endpoint } from "../generation/stages.ts";

/**
 * The origin where a provider serves embeddings, and the codec for it: a service of its own, or one of its protocols.
 */
export function embedderOf(
  { serves, speaks, origin }: Provider,
  protocol: keyof Provider["speaks"],
): { upstream: EmbedCodec | undefined; service?: Service; origin: string; base: string } {
  const service = serves?.embed;
  if (service && service.wire in embedWires) {
    const upstream: EmbedCodec = embedWires[service.wire as keyof typeof embedWires];
    return { upstream, service, origin: service.origin, base: service.base };
  }
  return { upstream: embedCodecs[protocol], origin, base: speaks[protocol]?.base ?? "" };
}

/** The protocol of a provider's separate embedding service, if it has one. */
export const separateEmbedProtocol = ({ serves }: Provider): UpstreamProtocol | undefined => {
  const wire = serves?.embed?.wire;
  if (wire === undefined || !(wire in embedWires)) return undefined;
  return wire === "genstyle" ? "genstyle" : "chatstyle";
};

/**
 * The endpoint where a provider serves embeddings, without the operation's own path, and the provider with the key and
 * the headers for it.
 */
export function embedEndpoint(
  provider: Provider,
  protocol: UpstreamProtocol,
): Pick<Endpoint, "provider" | "origin"> & { base: string } {
  const { origin, service, base } = embedderOf(provider, protocol);
  if (!service) return { origin, base, provider };
  const { key: _, credentials: _c, identity: _i, ...rest } = provider;
  return { origin, base, provider: { ...rest, ...service, speaks: { [protocol]: service } } };
}
