import { assertOptions, number, object, optional } from "@manifold-gateway/core/schema";
import { createFetchTransport } from "./fetch-transport.ts";
import type { Transport, TransportOptions } from "./transport.ts";

/** True in a runtime whose sockets belong to the request that opened them, so that they cannot be pooled. */
const hasNoPools = (): boolean => globalThis.navigator?.userAgent === "Cloudflare-Workers";

/** Chooses the transport that this runtime supports. */
async function maker(): Promise<(options: TransportOptions) => Transport> {
  if (hasNoPools()) return withoutPools;
  try {
    const { createPooledTransport, isPooling } = await import("./pooled-transport.ts");
    return isPooling() ? createPooledTransport : withoutPools;
  } catch {
    // The library for connections is not installed.
    return withoutPools;
  }
}

/** The time to connect is a part of that to the first byte. */
const withoutPools = ({ connect: _, ...options }: TransportOptions): Transport =>
  createFetchTransport(options);

/** The runtime ends a longer timer at once. */
const time = optional(number({ min: 1, max: 2 ** 31 - 1 }));
const rules = object({ connect: time, firstByte: time, idle: time });

/**
 * A transport over pooled connections, or over `fetch` in a runtime that does not support them. Throws a `TypeError` that
 * names the times that are wrong.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  assertOptions("createTransport", rules, options);
  // Loading begins here, so that the first call need not wait for it.
  const opening = maker().then((make) => make(options));
  const transport: Transport = {
    send: (request) => opening.then((opened) => opened.send(request)),
    close: async () => (await opening).close(),
  };
  void opening.then(({ send }) => Object.assign(transport, { send }));
  return transport;
}
