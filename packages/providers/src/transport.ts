import { Agent, type Dispatcher } from "undici";
import { UpstreamBody } from "./body.ts";
import { toFault, UpstreamFault } from "./fault.ts";

/** One call: everything that goes over the wire. */
export interface UpstreamRequest {
  origin: string;
  /** Path and query. */
  path: string;
  method: "GET" | "POST" | "DELETE";
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** Milliseconds; see `Provider.timeouts`. */
  firstByte?: number;
  idle?: number;
  /** Ends the call with the fault `cancelled`, and lets its connection go. */
  signal?: AbortSignal;
}

/** The head of an answer, and its body to be read. */
export interface UpstreamResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: UpstreamBody;
}

/** Calls providers. Rejects with `UpstreamFault`, and with a defect as it is; never for a status. */
export interface Transport {
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  close(): Promise<void>;
}

/** The waits of a call, in milliseconds: to connect, for the first byte, between bytes. */
export interface TransportOptions {
  connect?: number;
  firstByte?: number;
  idle?: number;
}

/**
 * A transport over pooled keep-alive connections. It speaks to the dispatcher directly, because the fetch classes
 * around it cost several times what the rest of a request does.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const { connect = 5_000, firstByte = 120_000, idle = 60_000 } = options;
  const agent = new Agent({ connect: { timeout: connect }, pipelining: 1, maxHeaderSize: 64 * 1024 });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (request.signal?.aborted) return reject(new UpstreamFault("cancelled"));
        agent.dispatch(
          {
            origin: request.origin,
            path: request.path,
            method: request.method,
            headers: request.headers,
            body: request.body ?? null,
            headersTimeout: request.firstByte ?? firstByte,
            bodyTimeout: request.idle ?? idle,
          },
          reader(resolve, reject, request.signal),
        );
      }),
    close: () => agent.destroy(),
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
      // Word that an answer is still to come (early hints, processing): its own head follows.
      if (status < 200) return;
      // A status that HTTP does not have says nothing, and could not be handed on.
      const isNone = status > 599;
      if (isNone || (status >= 300 && status < 400)) {
        const fault = new UpstreamFault(isNone ? "encoding" : "redirect");
        reject(fault);
        controller.abort(fault);
        return;
      }
      body = new UpstreamBody(controller, headers["content-encoding"], headers["content-length"]);
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
