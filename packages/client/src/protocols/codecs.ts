import type { AnyCaller, AnyProvider, Protocol } from "@manifold-gateway/core";
import type { LoadOptions } from "@manifold-gateway/core/load";

/** The halves of codecs that a client has, or loads when they are first used. */
export interface Codecs {
  /** The half that serves callers of a protocol; undefined if the client is made without it. */
  caller(protocol: Protocol): Promise<AnyCaller | undefined>;
  /** The half that calls providers of a protocol; undefined if the client is made without it. */
  provider(protocol: Protocol, options: LoadOptions): Promise<AnyProvider | undefined>;
  /** The half for the errors of requests whose protocol the client is made without. */
  any(): Promise<AnyCaller>;
  /** Why there is no half that calls providers of these protocols, for an error. */
  whyMissing(protocols: string): string;
}
