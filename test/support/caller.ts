import type { Gateway } from "@manifold-gateway/gateway";
import { KEY } from "./holder.ts";

export const ADMIN = "operator-credential-0123456789abcdef";

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by their tests
export type Json = any;

/** Requests as a client of a gateway sends them. */
export interface Caller {
  /** A request with the key; a body makes it a POST, and is sent as JSON unless it is text. */
  call(path: string, body?: unknown, init?: RequestInit): Promise<Response>;
  /** The JSON of an answer, which has to have the status. */
  json(path: string, body?: unknown, status?: number, init?: RequestInit): Promise<Json>;
  /** Reads a path until `is` holds of its answer. */
  until(path: string, is: (json: Json) => boolean): Promise<Json>;
}

/** Explanations are asked for as the operator, who is given all of them. */
const asOperator = (headers: object = {}): Record<string, string> =>
  "x-explain" in headers ? { "x-admin-key": ADMIN } : {};

export function callerOf(origin: string, send: (request: Request) => Promise<Response>, key = KEY): Caller {
  const call: Caller["call"] = (path, body, init = {}) =>
    send(
      new Request(path.startsWith("http") ? path : origin + path, {
        method: body === undefined ? "GET" : "POST",
        ...init,
        headers: {
          "x-api-key": key,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...asOperator(init.headers),
          ...init.headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
  const json: Caller["json"] = async (path, body, status = 200, init) => {
    const response = await call(path, body, init);
    const read = (await response.json()) as Json;
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${JSON.stringify(read)}`);
    return read;
  };
  return {
    call,
    json,
    async until(path, is) {
      const end = Date.now() + 15_000;
      for (;;) {
        const read = await json(path);
        if (is(read)) return read;
        if (Date.now() > end) throw new Error(`${path} never came to that: ${JSON.stringify(read)}`);
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    },
  };
}

/** Hands a request with these headers alone to a gateway, without a socket. */
export const sendTo = async (
  gateway: Gateway,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Response> =>
  gateway.fetch(
    new Request(`http://stage.test${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
