import { type EmbedCodec, embedCodecs, embedWires } from "@manifold-gateway/core/operations";
import type { Provider, Service, UpstreamProtocol } from "@manifold-gateway/providers";

/**
 * The place where a provider serves embeddings, and the codec for it: a service of its own, or the protocol that it
 * speaks.
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

/** The protocol of the place where a provider serves embeddings apart from text, if it has one. */
export const embedsApart = ({ serves }: Provider): UpstreamProtocol | undefined => {
  const wire = serves?.embed?.wire;
  if (wire === undefined || !(wire in embedWires)) return undefined;
  return wire === "genstyle" ? "genstyle" : "chatstyle";
};
