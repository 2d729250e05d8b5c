import { Agent, type Dispatcher } from "undici";
import { UpstreamFault } from "./fault.ts";
import { createConnections } from "./idle-connections.ts";
import { PooledCall } from "./pooled-call.ts";
import type { Transport, TransportOptions, UpstreamResponse } from "./transport.ts";
import { createTurn } from "./turn.ts";

/** False if the runtime has replaced the dispatcher by one without the needed methods. */
export const isPooling = (): boolean => typeof Agent.prototype.dispatch === "function";

/**
 * A transport over pooled keep-alive connections. It calls the dispatcher directly, because the fetch classes around it
 * cost several times as much as the rest of a request.
 */
export function createPooledTransport(options: TransportOptions = {}): Transport {
  const { connect = 5_000, firstByte = 120_000, idle = 60_000 } = options;
  const agent = createConnections(connect);
  const endOfTurn = createTurn();
  return {
    async send(request) {
      const { origin, path, method, headers, body = null, signal } = request;
      if (signal?.aborted) throw new UpstreamFault("cancelled");
      const isWhole = body === null || typeof body === "string" || body instanceof Uint8Array;
      const call: Dispatcher.DispatchOptions = {
        origin,
        path,
        method,
        headers: isWhole ? headers : { ...headers, "content-length": String(body.length) },
        // The dispatcher accepts any iterable, although its types do not allow that.
        body: body as Dispatcher.DispatchOptions["body"],
        headersTimeout: request.firstByte ?? firstByte,
        bodyTimeout: request.idle ?? idle,
      };
      const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
      // The others of this turn are made ready first, and then sent one after another.
      await undefined;
      agent.dispatch(call, new PooledCall(signal, resolve, reject));
      const response = await promise;
      await endOfTurn();
      return response;
    },
    close: () => agent.destroy(),
  };
}
