import type { Json } from "@manifold-gateway/core/codec";
import { UpstreamFault } from "../fault.ts";
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
  /** JSON text that is sent to the letter: what a signature is over. */
  text?: string;
  headers?: Record<string, string>;
  form?: FormData;
  /** Milliseconds to the head of the answer; what the service says goes before what takes as long as work takes. */
  timeout?: number;
  /** The call begins work: an answer on behalf of a provider that did not answer in time is no answer. */
  begins?: true;
}

/** A whole answer. */
export interface Reply {
  status: number;
  /** Milliseconds, as the provider asked. */
  retryAfter?: number;
  /** `null` where the answer was not JSON. */
  body: Json;
}

/** Long enough to generate a picture in one exchange, and to ask about work. */
export const PATIENCE = { generate: 600_000, ask: 60_000 } as const;

/** Sends a call. Rejects with `UpstreamFault`, never for a status. */
export async function open(line: Line, call: Call): Promise<Response> {
  const { origin, base, auth, key, timeouts } = line.service;
  const { method, path, json, text, form } = call;
  const timeout = patienceOf(call, timeouts?.firstByte);
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
    };
    const response = await line.client(origin + base + path, options);
    if (response.status >= 300 && response.status < 400) throw new UpstreamFault("redirect");
    // A proxy between us and the provider answers this, while the provider may be at work.
    if (call.begins && (response.status === 504 || response.status === 524))
      throw new UpstreamFault("timeout");
    return response;
  } catch (error) {
    throw faultOf(error, line.signal);
  }
}

/** No question is worth more than the usual wait, however long the service's work may take. */
function patienceOf({ timeout = PATIENCE.ask }: Call, own = timeout): number {
  return timeout > PATIENCE.ask ? own : Math.min(timeout, own);
}

/** Sends a call and reads the whole answer. Rejects with `UpstreamFault`, never for a status. */
export async function exchange(line: Line, call: Call): Promise<Reply> {
  return readReply(await open(line, call), line.signal);
}

/** The rest of an answer, of at most `LARGEST_REPLY` bytes. Rejects with `UpstreamFault`. */
export async function readReply(response: Response, signal: AbortSignal): Promise<Reply> {
  const retryAfter = retryAfterOf(response.headers);
  const body = (await readJson(response, LARGEST_REPLY, signal)) ?? null;
  return { status: response.status, body, ...(retryAfter !== undefined && { retryAfter }) };
}

/** An accepted call whose answer makes no sense: whether work has begun is anyone's guess. */
export const unreadable = (): UpstreamFault => new UpstreamFault("encoding");

/** The wait that a provider asks for, in seconds. A date is not an answer to how long. */
function retryAfterOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 3600) * 1000 : undefined;
}
