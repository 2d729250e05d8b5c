import type { AnyCaller, AnyProvider } from "@manifold-gateway/core";
import type { Codecs } from "./codecs.ts";

/** The given protocols alone. */
export function givenCodecs(callers: readonly AnyCaller[], upstreams: readonly AnyProvider[]): Codecs {
  const callerOf = new Map(callers.map((codec) => [codec.protocol, codec]));
  const providerOf = new Map(upstreams.map((codec) => [codec.protocol, codec]));
  return {
    caller: async (protocol) => callerOf.get(protocol),
    provider: async (protocol) => providerOf.get(protocol),
    any: async () => callers[0] as AnyCaller,
    whyMissing: (protocols) =>
      `the client is made without its protocol ${protocols}; pass it in the option \`upstreams\``,
  };
}
