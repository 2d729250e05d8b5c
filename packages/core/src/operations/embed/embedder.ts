import type { Protocol } from "../../ir/part.ts";
import type { EmbedCodec } from "./codec.ts";
import { embedCodecs, embedWires } from "./codecs.ts";

/** A provider's separate service for embeddings. */
interface EmbedService {
  wire: string;
  origin: string;
  base: string;
}

/** The members of a provider that say where it serves embeddings. */
export interface EmbedProvider {
  /** Scheme and host: `https://models.example`. */
  origin: string;
  /** Its protocols, each with the path before the operations' own: `{ chatstyle: { base: "/v1" } }`. */
  speaks: { readonly [protocol in Protocol]?: { base: string } | undefined };
  /** A service for embeddings that is none of its protocols; absent if it has none. */
  serves?: { embed?: EmbedService | undefined } | undefined;
}

/** Where a provider serves embeddings, and on which wire. */
export interface EmbedEndpoint<Of> {
  /** The codec of the wire; undefined if the protocol has no embeddings. */
  upstream: EmbedCodec | undefined;
  /** Scheme and host: `https://models.example`. */
  origin: string;
  /** The path before the operation's own. */
  base: string;
  /** The provider with the key and the headers for it. */
  provider: Of;
}

const wireOf = (provider: EmbedProvider): keyof typeof embedWires | undefined => {
  const wire = provider.serves?.embed?.wire;
  return wire !== undefined && wire in embedWires ? (wire as keyof typeof embedWires) : undefined;
};

/** The protocol of a provider's separate service for embeddings, if it has one. */
export const separateEmbedProtocol = (provider: EmbedProvider): "genstyle" | "chatstyle" | undefined => {
  const wire = wireOf(provider);
  return wire && (wire === "genstyle" ? "genstyle" : "chatstyle");
};

/** Where a provider serves embeddings: a service of its own, or one of its protocols. */
export function embedEndpoint<Of extends EmbedProvider>(provider: Of, protocol: Protocol): EmbedEndpoint<Of> {
  const service = provider.serves?.embed;
  const wire = wireOf(provider);
  if (!service || !wire) {
    const base = provider.speaks[protocol]?.base ?? "";
    return { upstream: embedCodecs[protocol], origin: provider.origin, base, provider };
  }
  const {
    key: _,
    credentials: _c,
    identity: _i,
    ...rest
  } = provider as Of & Partial<Record<string, unknown>>;
  const served = { ...rest, ...service, speaks: { [protocol]: service } } as unknown as Of;
  return { upstream: embedWires[wire], origin: service.origin, base: service.base, provider: served };
}
