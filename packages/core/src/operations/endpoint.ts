import type { Protocol } from "../ir/part.ts";

/** The wires of an operation. */
export interface OperationWires<Codec> {
  /** Its name among the services of providers: `embed`. */
  service: string;
  /** The codecs by protocol: a provider that speaks the protocol serves the operation on it. */
  protocols: { readonly [protocol in Protocol]?: Codec };
  /** The codecs by the wire of a provider's separate service. */
  services: Readonly<Record<string, Codec>>;
}

/** A provider's separate service for an operation. */
interface SeparateService {
  wire: string;
  origin: string;
  base: string;
  maxInputs?: number | undefined;
}

/** The members of a provider that say where it serves operations. */
export interface OperationProvider {
  /** Scheme and host: `https://models.example`. */
  origin: string;
  /** Its protocols, each with the path before the operations' own: `{ chatstyle: { base: "/v1" } }`. */
  speaks: { readonly [protocol in Protocol]?: { base: string } | undefined };
  /** Services that are none of its protocols, by the name of the operation; absent if it has none. */
  serves?: { readonly [operation: string]: SeparateService | undefined } | undefined;
}

/** Where a provider serves an operation, and on which wire. */
export interface OperationEndpoint<Codec, Of> {
  /** The codec of the wire; undefined if the protocol does not have the operation. */
  upstream: Codec | undefined;
  /** Scheme and host: `https://models.example`. */
  origin: string;
  /** The path before the operation's own. */
  base: string;
  /** The provider with the key and the headers for it. */
  provider: Of;
}

const separateCodec = <Codec>(
  { service, services }: OperationWires<Codec>,
  { serves }: OperationProvider,
): Codec | undefined => {
  const wire = serves?.[service]?.wire;
  return wire !== undefined && Object.hasOwn(services, wire) ? services[wire] : undefined;
};

/** The protocol of a provider's separate service for an operation, if it has one. */
export const separateProtocol = <Codec extends { protocol: Protocol }>(
  operation: OperationWires<Codec>,
  provider: OperationProvider,
): Exclude<Protocol, "native"> | undefined =>
  separateCodec(operation, provider)?.protocol as Exclude<Protocol, "native"> | undefined;

/** The most inputs that a provider takes in one call of an operation; undefined if it takes as many as its wire. */
export const maxInputsOf = (
  { service }: Pick<OperationWires<never>, "service">,
  { serves }: OperationProvider,
): number | undefined => serves?.[service]?.maxInputs;

/** Where a provider serves an operation: a service of its own, or one of its protocols. */
export function operationEndpoint<Codec, Of extends OperationProvider>(
  operation: OperationWires<Codec>,
  provider: Of,
  protocol: Protocol,
): OperationEndpoint<Codec, Of> {
  const service = provider.serves?.[operation.service];
  const codec = separateCodec(operation, provider);
  if (!service || !codec) {
    const base = provider.speaks[protocol]?.base ?? "";
    return { upstream: operation.protocols[protocol], origin: provider.origin, base, provider };
  }
  const {
    key: _,
    credentials: _c,
    identity: _i,
    ...rest
  } = provider as Of & Partial<Record<string, unknown>>;
  const served = { ...rest, ...service, speaks: { [protocol]: service } } as unknown as Of;
  return { upstream: codec, origin: service.origin, base: service.base, provider: served };
}
