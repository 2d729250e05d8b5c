import { type ClientOptions, createFetch, type ProviderSettings } from "@manifold-gateway/client";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { PROTOCOLS } from "../../support/text.ts";
import type { Client } from "./driver.ts";

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

export interface World extends Client {
  simulator: Simulator;
  /** Whether the client has left the last exchange with a provider before its end. */
  hasLeft(): boolean;
}

/** A client in front of a simulator of every protocol, without a port. */
export function world(
  options: Partial<ClientOptions<Providers, string>> = {},
  services: Record<string, ProviderSettings> = {},
): World {
  const simulator = createSimulator();
  let hasLeft = false;
  const leave = (): void => {
    hasLeft = true;
  };
  const fetch = async (request: Request): Promise<Response> => {
    hasLeft = false;
    request.signal.addEventListener("abort", leave);
    const { body, status, headers } = await simulator.fetch(request);
    return new Response(body && watched(body, leave), { status, headers });
  };
  const all = { providers: { ...providers, ...services }, env: {}, fetch, ...options };
  return { simulator, send: createFetch(all), options: all, hasLeft: () => hasLeft };
}

/** A body that says when its reader leaves it. */
function watched(body: ReadableStream<Uint8Array>, leave: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel(reason) {
        leave();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** What a promise is rejected with; nothing where it is not. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
