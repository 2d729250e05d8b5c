import type { Readable } from "node:stream";
import { Agent, type Dispatcher } from "undici";
import { encodedBody } from "./encoded-body.ts";
import { toFault, UpstreamFault } from "./fault.ts";
import { createConnections } from "./idle-connections.ts";
import type { Transport, TransportOptions, UpstreamRequest, UpstreamResponse } from "./transport.ts";
import { UpstreamBody } from "./upstream-body.ts";

/** False if the runtime has replaced the dispatcher by one without the needed methods. */
export const isPooling = (): boolean => typeof Agent.prototype.dispatch === "function";

/**
 * A transport over pooled keep-alive connections. It calls the dispatcher directly, because the fetch classes around it
 * cost several times as much as the rest of a request.
 */
export function createPooledTransport(options: TransportOptions = {}): Transport {
  const { connect = 5_000, firstByte = 120_000, idle = 60_000 } = options;
  const agent = createConnections(connect);
  return {
    async send(request) {
      if (request.signal?.aborted) throw new UpstreamFault("cancelled");
      const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
      agent.dispatch(
        {
          origin: request.origin,
          path: request.path,
          method: request.method,
          ...sent(request),
          headersTimeout: request.firstByte ?? firstByte,
          bodyTimeout: request.idle ?? idle,
        },
        reader(resolve, reject, request.signal),
      );
      return promise;
    },
    close: () => agent.destroy(),
  };
}

type Sent = Pick<Dispatcher.DispatchOptions, "headers" | "body">;

/** The body and headers to send; a body in pieces needs a `content-length`. */
function sent({ headers, body }: UpstreamRequest): Sent {
  if (body === undefined) return { headers, body: null };
  if (typeof body === "string" || body instanceof Uint8Array) return { headers, body };
  // The dispatcher accepts any iterable, although its types do not allow that.
  return {
    headers: { ...headers, "content-length": String(body.length) },
    body: body as unknown as Readable,
  };
}

function reader(
  resolve: (response: UpstreamResponse) => void,
  reject: (fault: Error) => void,
  signal: AbortSignal | undefined,
): Dispatcher.DispatchHandler {
  let body: UpstreamBody | undefined;
  return {
    onRequestStart(controller) {
      if (!signal) return;
      const cancel = (): void => controller.abort(new UpstreamFault("cancelled"));
      if (signal.aborted) cancel();
      else signal.addEventListener("abort", cancel, { once: true });
    },
    onResponseStart(controller, status, headers) {
      // Skip interim responses (early hints, processing): the final head follows.
      if (status < 200) return;
      // A status above 599 is not valid in HTTP and could not be passed on.
      const isNone = status > 599;
      if (isNone || (status >= 300 && status < 400)) {
        const fault = new UpstreamFault(isNone ? "status_line" : "redirect");
        reject(fault);
        controller.abort(fault);
        return;
      }
      const { "content-encoding": encoding, "content-length": length } = headers;
      body =
        encoding === undefined
          ? new UpstreamBody(controller, length)
          : encodedBody(controller, encoding, length);
      resolve({ status, headers, body });
    },
    onResponseData: (_, chunk) => void body?.push(chunk),
    onResponseEnd: () => void body?.finish(),
    onResponseError(_, error) {
      const fault = toFault(error);
      if (body) body.broke(fault);
      else reject(fault);
    },
  };
}
