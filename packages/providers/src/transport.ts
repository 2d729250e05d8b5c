import type { Readable } from "node:stream";
import { Agent, type Dispatcher } from "undici";
import { UpstreamBody } from "./body.ts";
import { toFault, UpstreamFault } from "./fault.ts";

/**
 * Bytes that are sent from where they stand. After a piece of 64 KiB or more the next is only taken when the socket
 * has passed that one on: who is asked for more, or told that this was all, knows that it was sent.
 */
export interface Pieces extends Iterable<Uint8Array> {
  /** Of all of them. */
  readonly length: number;
}

/** What is sent. */
export type Payload = string | Uint8Array | Pieces;

/** All of it, in one piece. */
export function bytesOf(payload: Payload): Uint8Array {
  if (typeof payload === "string") return Buffer.from(payload);
  return payload instanceof Uint8Array ? payload : Buffer.concat([...payload]);
}

/** One call: everything that goes over the wire. */
export interface UpstreamRequest {
  origin: string;
  /** Path and query. */
  path: string;
  method: "GET" | "POST" | "DELETE";
  headers: Record<string, string>;
  body?: Payload;
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
            ...sent(request),
            headersTimeout: request.firstByte ?? firstByte,
            bodyTimeout: request.idle ?? idle,
          },
          reader(resolve, reject, request.signal),
        );
      }),
    close: () => agent.destroy(),
  };
}

type Sent = Pick<Dispatcher.DispatchOptions, "headers" | "body">;

/** The body and its headers: pieces need their length told. */
function sent({ headers, body }: UpstreamRequest): Sent {
  if (body === undefined) return { headers, body: null };
  if (typeof body === "string" || body instanceof Uint8Array) return { headers, body };
  // The dispatcher takes whatever can be iterated over; its types do not say so.
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
