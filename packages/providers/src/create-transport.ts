import { createFetchTransport } from "./fetch-transport.ts";
import type { Transport, TransportOptions } from "./transport.ts";

/** Its sockets belong to the request that opened them, so that none of them can be kept. */
const hasNoPools = (): boolean => globalThis.navigator?.userAgent === "Cloudflare-Workers";

/** Makes the transport that this runtime can have. */
async function maker(): Promise<(options: TransportOptions) => Transport> {
  if (hasNoPools()) return createFetchTransport;
  try {
    const { createPooledTransport, isPooling } = await import("./pooled-transport.ts");
    return isPooling() ? createPooledTransport : createFetchTransport;
  } catch {
    // The library of the connections is not there.
    return createFetchTransport;
  }
}

/** A transport over pooled connections of its own, or over `fetch` in a runtime that has no place for them. */
export function createTransport(options: TransportOptions = {}): Transport {
  let opened: Transport | undefined;
  // Begun here and not with the first call, which need not wait for it then.
  const opening = maker().then((make) => {
    opened = make(options);
    return opened;
  });
  return {
    send: (request) => (opened ? opened.send(request) : opening.then((transport) => transport.send(request))),
    close: async () => (await opening).close(),
  };
}
