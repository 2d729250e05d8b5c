import type { AnyCaller, AnyProvider, Protocol } from "@manifold-gateway/core";
import { type LoadOptions, loadCaller, loadProvider } from "@manifold-gateway/core/load";

/** The halves of codecs that a client has, or loads when they are first used. */
export interface Codecs {
  /** The half that serves callers of a protocol; undefined if the client is made without it. */
  caller(protocol: Protocol): Promise<AnyCaller | undefined>;
  /** The half that calls providers of a protocol; undefined if the client is made without it. */
  provider(protocol: Protocol, options: LoadOptions): Promise<AnyProvider | undefined>;
  /** The half for the errors of requests whose protocol the client is made without. */
  any(): Promise<AnyCaller>;
}

/** All protocols, each half loaded when it is first used. */
export const loadedCodecs: Codecs = {
  caller: (protocol) => loadCaller[protocol](),
  provider: (protocol, options) => loadProvider[protocol](options),
  any: () => loadCaller.chatstyle(),
};

/** The given protocols alone. */
export function givenCodecs(callers: readonly AnyCaller[], upstreams: readonly AnyProvider[]): Codecs {
  const callerOf = new Map(callers.map((codec) => [codec.protocol, codec]));
  const providerOf = new Map(upstreams.map((codec) => [codec.protocol, codec]));
  return {
    caller: async (protocol) => callerOf.get(protocol),
    provider: async (protocol) => providerOf.get(protocol),
    any: async () => callers[0] as AnyCaller,
  };
}
