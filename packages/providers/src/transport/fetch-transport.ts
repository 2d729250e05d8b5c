import { assertNames } from "../assert-names.ts";
import { toFetchFault, UpstreamFault } from "./fault.ts";
import { bytesOf, type Transport, type TransportOptions, type UpstreamRequest } from "./transport.ts";
import { UpstreamBody } from "./upstream-body.ts";

/** Settings of `createFetchTransport`. */
export interface FetchOptions extends Omit<TransportOptions, "connect"> {
  /** Sends one request. Default: the runtime's `fetch`. */
  fetch?: (request: Request) => Response | Promise<Response>;
}

/** The encodings that `fetch` implementations request and decode by themselves. */
const unpacked = new Set(["gzip", "x-gzip", "deflate", "br", "zstd"]);
const isPacked = (encoding: string | null): encoding is string => !!encoding && encoding !== "identity";

/**
 * A transport over `fetch`, for runtimes that do not let a program pool connections. Connections, proxies and
 * certificates are the runtime's; `firstByte` includes the time to connect. Throws a `TypeError` that names an option that
 * is not known.
 */
export function createFetchTransport(options: FetchOptions = {}): Transport {
  assertNames("createFetchTransport", options, { fetch: 0, firstByte: 0, idle: 0 });
  const {
    firstByte = 120_000,
    idle = 60_000,
    fetch: send = (request) => globalThis.fetch(request),
  } = options;
  const calls = new Set<AbortController>();
  let isClosed = false;

  return {
    async send(request) {
      const { signal } = request;
      if (signal?.aborted) throw new UpstreamFault("cancelled");
      if (isClosed) throw new UpstreamFault("connect");
      const call = new AbortController();
      const cancel = (): void => call.abort(new UpstreamFault("cancelled"));
      const end = (): void => {
        calls.delete(call);
        signal?.removeEventListener("abort", cancel);
      };
      const made = toRequest(request, call.signal);
      calls.add(call);
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        const response = await within(request.firstByte ?? firstByte, call, async () => send(made));
        return answer(response, call, request.idle ?? idle, end);
      } catch (error) {
        end();
        throw faultOf(error, call.signal);
      }
    },
    async close() {
      isClosed = true;
      for (const call of calls) call.abort(new UpstreamFault("reset"));
    },
  };
}

/** Builds the request. Throws for one that could never be sent, which is a defect. */
function toRequest({ origin, path, method, headers, body }: UpstreamRequest, signal: AbortSignal): Request {
  return new Request(origin + path, {
    method,
    headers,
    redirect: "manual",
    signal,
    // In one piece: a body in pieces would be sent without its length, which some providers refuse.
    ...(body !== undefined && { body: typeof body === "string" ? body : (bytesOf(body) as BodyInit) }),
  });
}

/** The fault of a call; for an aborted one the signal's reason, whatever error the implementation throws. */
const faultOf = (error: unknown, signal: AbortSignal): Error =>
  signal.aborted ? (signal.reason as Error) : toFetchFault(error);

/** Runs work, and aborts the call if it takes longer than `ms`. */
async function within<T>(ms: number, call: AbortController, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => call.abort(new UpstreamFault("timeout")), ms);
  // Not every implementation reacts to its signal at once, or in every state.
  let leave = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(call.signal.reason);
    if (call.signal.aborted) leave();
    else call.signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener("abort", leave);
  }
}

function answer(response: Response, call: AbortController, idle: number, end: () => void) {
  const { status } = response;
  const encoding = response.headers.get("content-encoding");
  const refuse = (kind: "redirect" | "status_line" | "encoding"): never => {
    const location = kind === "redirect" ? (response.headers.get("location") ?? undefined) : undefined;
    call.abort(new UpstreamFault(kind, undefined, location));
    throw call.signal.reason;
  };
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) refuse("redirect");
  if (status > 599) refuse("status_line");
  if (isPacked(encoding) && !unpacked.has(encoding.trim().toLowerCase())) refuse("encoding");
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  // These headers describe the encoded bytes, but the body is already decoded.
  if (isPacked(encoding)) for (const name of ["content-encoding", "content-length"]) delete headers[name];
  return { status, headers, body: bodyOf(response, call, Number(headers["content-length"]), idle, end) };
}

/** The bytes of an answer, read ahead up to the body's limit. `length` is `NaN` if the answer gave none. */
function bodyOf(
  response: Response,
  call: AbortController,
  length: number,
  idle: number,
  end: () => void,
): UpstreamBody {
  let isPaused = false;
  let wake = (): void => {};
  const body = new UpstreamBody({
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      wake();
    },
    abort: (reason) => call.abort(reason),
  });
  call.signal.addEventListener("abort", () => wake(), { once: true });
  const read = async (): Promise<void> => {
    const reader = response.body?.getReader();
    try {
      let size = 0;
      while (reader) {
        const { done, value } = await within(idle, call, () => reader.read());
        if (done) break;
        size += value.length;
        body.push(value);
        if (isPaused && !call.signal.aborted)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
      // Not every implementation reports a body that is too short.
      if (size < length) throw new UpstreamFault("reset");
      body.finish();
    } catch (error) {
      body.fail(faultOf(error, call.signal));
      reader?.cancel().catch(() => {});
    } finally {
      end();
    }
  };
  void read();
  return body;
}
