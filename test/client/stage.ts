import {
  type ClientFetch,
  type ClientOptions,
  createFetch,
  type ProviderSettings,
} from "@manifold-gateway/client";
import { parseWire, readFrames } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { type CallerProtocol, upstreams } from "../support/wires/index.ts";

export const ORIGIN = "http://simulator.test";

/** A provider for each protocol, which is its id too. */
export const providers: Readonly<Record<string, ProviderSettings>> = Object.fromEntries(
  upstreams.map((protocol) => [protocol, { origin: ORIGIN, speaks: [protocol], key: "provider-key" }]),
);

export type Options = ClientOptions<Record<string, ProviderSettings>, string>;

export interface Stage {
  simulator: Simulator;
  /** The requests that reached the simulator. */
  sent: Request[];
  /** The options of clients that reach the simulator. */
  options: Options;
  client(options?: Options): ClientFetch;
}

/** Clients in front of a simulator, without a port. */
export function startClient(): Stage {
  const simulator = createSimulator();
  const sent: Request[] = [];
  const send = (request: Request): Promise<Response> => {
    sent.push(request.clone() as Request);
    return simulator.fetch(request);
  };
  const options: Options = { fetch: send, env: {}, providers };
  return {
    simulator,
    sent,
    options,
    client: (more = {}) =>
      createFetch({ ...options, ...more, providers: { ...providers, ...more.providers } }),
  };
}

/** The usual request of each SDK: its address, and a body that asks for these words. */
export const requests: Record<
  CallerProtocol,
  (model: string, text: string, stream: boolean) => [url: string, body: JsonObject]
> = {
  chatstyle: (model, text, stream) => [
    "https://api.vendor.test/v1/chat/completions",
    { model, stream, messages: [{ role: "user", content: text }] },
  ],
  responses: (model, text, stream) => [
    "https://api.vendor.test/v1/responses",
    { model, stream, input: [{ role: "user", content: text }] },
  ],
  msgstyle: (model, text, stream) => [
    "https://api.vendor.test/v1/messages",
    { model, stream, max_tokens: 256, messages: [{ role: "user", content: text }] },
  ],
  genstyle: (model, text, stream) => [
    `https://api.vendor.test/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    { contents: [{ role: "user", parts: [{ text }] }] },
  ],
};

/** The call of an SDK of a protocol. */
export function send(
  fetch: ClientFetch,
  protocol: CallerProtocol,
  model: string,
  text: string,
  stream = false,
  init: RequestInit = {},
): Promise<Response> {
  const [url, body] = requests[protocol](model, text, stream);
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer unused" },
    body: JSON.stringify(body),
    ...init,
  });
}

/** The chunks in the text of a stream. */
export function chunksOf(text: string): Json[] {
  const frames = readFrames(1 << 20);
  const all = [...frames.step(new TextEncoder().encode(text)), ...frames.end()];
  return all.map(({ data }) => (data === "[DONE]" ? data : (parseWire(data) as Json)));
}
