import type { Json } from "@manifold-gateway/core/codec";
import { pauseOf } from "../routing/verdict.ts";
import { UpstreamFault } from "../transport/fault.ts";
import type { Line } from "./adapter.ts";
import { LARGEST_REPLY, readJson } from "./bytes.ts";
import type { LineOptions } from "./client.ts";
import { faultOf } from "./fault.ts";

/** One call of an adapter, below the base of its service. */
export interface Call {
  method: "GET" | "POST" | "DELETE";
  /** Path and query. */
  path: string;
  json?: object;
  /** JSON text that is sent unchanged, because a signature covers it. */
  text?: string;
  headers?: Record<string, string>;
  form?: FormData;
  /** The milliseconds to the answer's head. For calls that do the work, the service's timeout takes precedence. */
  timeout?: number;
  /** The call begins work: a gateway timeout from a proxy does not mean that the work has not begun. */
  begins?: true;
}

/** A whole answer. */
export interface Reply {
  status: number;
  /** The wait that the provider requested, in milliseconds. */
  retryAfter?: number;
  /** The JSON value; `null` if the answer was not JSON. */
  body: Json;
}

/** The timeouts in ms of an exchange that generates a picture, and of a poll. */
export const CALL_TIMEOUTS = { generate: 600_000, ask: 60_000 } as const;

/** Sends a call. Rejects with `UpstreamFault`, never because of a status. */
export async function open(line: Line, call: Call): Promise<Response> {
  const { origin, base, auth, key, identity, timeouts } = line.service;
  const { method, path, json, text, form } = call;
  const timeout = timeoutOf(call, timeouts?.firstByte);
  try {
    const options: LineOptions = {
      method,
      headers: {
        ...line.service.headers,
        ...(key !== undefined && { [auth.header]: auth.scheme ? `${auth.scheme} ${key}` : key }),
        ...call.headers,
      },
      ...(json && { json }),
      ...(text !== undefined && { body: text }),
      ...(form && { body: form }),
      signal: line.signal,
      timeout,
      retry: 0,
      throwHttpErrors: false,
      redirect: "manual",
      timeouts: { ...timeouts, firstByte: timeout },
      ...(identity && { identity }),
    };
    const response = await line.client(origin + base + path, options);
    if (response.status === 401) identity?.refused();
    if (response.status >= 300 && response.status < 400)
      throw new UpstreamFault("redirect", undefined, response.headers.get("location") ?? undefined);
    // A proxy answers this on a timeout, while the provider may still be working.
    if (call.begins && (response.status === 504 || response.status === 524))
      throw new UpstreamFault("timeout");
    return response;
  } catch (error) {
    throw faultOf(error, line.signal);
  }
}

/** The timeout of a call. A poll has at most its own timeout, however long the service's work may take. */
function timeoutOf({ timeout = CALL_TIMEOUTS.ask }: Call, configured = timeout): number {
  return timeout > CALL_TIMEOUTS.ask ? configured : Math.min(timeout, configured);
}

/** Sends a call and reads the whole answer. Rejects with `UpstreamFault`, never because of a status. */
export async function exchange(line: Line, call: Call): Promise<Reply> {
  return readReply(await open(line, call), line);
}

/** Reads the body of an answer, at most `LARGEST_REPLY` bytes. Rejects with `UpstreamFault`. */
export async function readReply(
  response: Response,
  { signal, now }: Pick<Line, "signal" | "now">,
): Promise<Reply> {
  const retryAfter = retryAfterOf(response.headers, now());
  const body = (await readJson(response, LARGEST_REPLY, signal)) ?? null;
  return { status: response.status, body, ...(retryAfter !== undefined && { retryAfter }) };
}

/** The fault of an accepted call whose answer cannot be read: the work may or may not have begun. */
export const unreadable = (): UpstreamFault => new UpstreamFault("encoding");

/** The wait that a provider requests, in seconds or until a date. */
function retryAfterOf(headers: Headers, now: number): number | undefined {
  const seconds = pauseOf(headers.get("retry-after") ?? undefined, now);
  return seconds === undefined ? undefined : Math.min(seconds, 3600) * 1000;
}
