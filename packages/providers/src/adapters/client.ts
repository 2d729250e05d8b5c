import ky, { type KyInstance, type Options } from "ky";
import type { Identity } from "../identity/index.ts";
import type { Provider } from "../provider.ts";
import { UpstreamFault } from "../transport/fault.ts";
import type { Transport, UpstreamResponse } from "../transport/transport.ts";
import type { UpstreamBody } from "../transport/upstream-body.ts";

/** The timeouts in ms to the first byte, which may come only when the work is done, and between two bytes. */
const DEFAULT_TIMEOUTS = { firstByte: 600_000, idle: 120_000 };

/** Options of a call. */
export interface LineOptions extends Options {
  /** The timeouts of the connection. Default: the client's. */
  timeouts?: Provider["timeouts"];
  /** Authenticates the call, which carries no key. */
  identity?: Identity;
}

/**
 * The client of a `Line`, over the transport's connections: answers of any length, passed on as they arrive. It follows
 * no redirects and leaves retries and statuses to the adapter. The caller's signal limits the whole exchange; silence
 * ends it too.
 */
export function createLineClient(transport: Transport): KyInstance {
  return ky.create({
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { origin, pathname, search } = new URL(request.url);
      const { identity, timeouts } = (init ?? {}) as LineOptions;
      const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
      const call = {
        origin,
        path: pathname + search,
        method: request.method as "GET",
        ...(body && { body }),
      };
      const identified = await identity?.headers(call);
      if (request.signal.aborted) throw new UpstreamFault("cancelled");
      const sent = transport.send({
        ...call,
        headers: { ...Object.fromEntries(request.headers), ...identified, "accept-encoding": "identity" },
        ...DEFAULT_TIMEOUTS,
        ...timeouts,
      });
      return toResponse(await unlessAborted(sent, request.signal), request.signal);
    },
    retry: 0,
    timeout: DEFAULT_TIMEOUTS.firstByte,
    throwHttpErrors: false,
  });
}

/** Waits for the answer until the signal aborts; an answer that arrives later is dropped. */
function unlessAborted(sent: Promise<UpstreamResponse>, signal: AbortSignal): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(new UpstreamFault("cancelled"));
      sent.then(
        ({ body }) => body.cancel(),
        () => {},
      );
    };
    signal.addEventListener("abort", abort, { once: true });
    sent.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The headers to remove, because bodies arrive decoded. */
const packing = new Set(["content-encoding", "transfer-encoding", "connection"]);
const bodiless = new Set([204, 205, 304]);

function toResponse({ status, headers: got, body }: UpstreamResponse, signal: AbortSignal): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(got))
    if (value !== undefined && !packing.has(name))
      for (const one of [value].flat()) headers.append(name, one);
  if (got["content-encoding"] !== undefined) headers.delete("content-length");
  signal.addEventListener("abort", () => body.cancel(), { once: true });
  if (bodiless.has(status)) body.cancel();
  return new Response(bodiless.has(status) ? null : toStream(body), { status, headers });
}

/** Converts a body to a stream that pulls only as it is read, so that a slow reader slows the provider down. */
const toStream = (body: UpstreamBody): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream(
    {
      async pull(controller) {
        const chunk = await body.next();
        if (chunk) controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
        else controller.close();
      },
      cancel: () => body.cancel(),
    },
    { highWaterMark: 0 },
  );
