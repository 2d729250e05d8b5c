import { type ClientOptions, createFetch, type ProviderSettings } from "@manifold-gateway/client";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { PROTOCOLS } from "../../support/text.ts";
import type { Send } from "./driver.ts";

type Providers = Record<UpstreamProtocol, ProviderSettings>;

/** A provider of each protocol, whose id is the protocol's name. */
const providers = Object.fromEntries(
  PROTOCOLS.map((protocol) => [
    protocol,
    {
      ...{ origin: "http://provider.test", speaks: [protocol], key: "provider-key" },
      // Models of the simulator's converse endpoint take formats, and call a tool where they have to.
      protocolTraits: { conversestyle: { format: true, forcedChoice: true } },
    },
  ]),
) as unknown as Providers;

export interface World {
  simulator: Simulator;
  send: Send;
}

/** A client in front of a simulator of every protocol, without a port. */
export function world(options: Partial<ClientOptions<Providers, string>> = {}): World {
  const simulator = createSimulator();
  return { simulator, send: createFetch({ providers, env: {}, fetch: simulator.fetch, ...options }) };
}

/** What a promise is rejected with; nothing where it is not. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
