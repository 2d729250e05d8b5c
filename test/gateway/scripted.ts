import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { defineProvider, type UpstreamProtocol } from "@manifold/providers";
import { afterAll, beforeAll } from "vitest";
import { type Harness, model, PROTOCOLS, startHarness } from "./harness.ts";

export interface Answer {
  status?: number;
  type?: string;
  text: string;
  headers?: Record<string, string>;
}

/** What a gateway is asked by: a surface, or one form of one. */
export type SurfaceName = "chatstyle" | "responses" | "msgstyle" | "genstyle" | "array" | "native";

const messages = [{ role: "user", content: "Hello" }];
/** A small request of each surface; the last two only stream. */
const asks: Record<SurfaceName, (id: string, stream: boolean) => [path: string, body: object]> = {
  chatstyle: (id, stream) => ["/api/chatstyle/v1/chat/completions", { model: id, stream, messages }],
  responses: (id, stream) => ["/api/chatstyle/v1/responses", { model: id, stream, input: "Hello" }],
  msgstyle: (id, stream) => ["/api/msgstyle/v1/messages", { model: id, stream, max_tokens: 100, messages }],
  genstyle: (id, stream) => [
    `/api/genstyle/v1beta/models/${id}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    { contents: "Hello" },
  ],
  array: (id) => [`/api/genstyle/v1beta/models/${id}:streamGenerateContent`, { contents: "Hello" }],
  native: (id) => ["/api/v1/text/completions", { model: id, messages }],
};

/** Every surface that is named with every protocol of a provider. */
export const cellsOf = (names = Object.keys(asks) as SurfaceName[]) =>
  names.flatMap((name) => PROTOCOLS.map((protocol) => ({ name, protocol })));

/** A gateway with a provider for each protocol; they all answer what they were told to. */
export function scripted(key?: string) {
  let answer: Answer = { text: "" };
  const server = createServer((request, response) => {
    request.resume();
    const { status = 200, type = "application/json", text, headers } = answer;
    response.writeHead(status, { "content-type": type, ...headers }).end(text);
  });
  const set = {} as { h: Harness };
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    set.h = await startHarness({
      models: PROTOCOLS.map((protocol) => model(`on-${protocol}`, `of-${protocol}`)),
      providers: new Map(
        PROTOCOLS.map((protocol) => [
          `of-${protocol}`,
          defineProvider(`of-${protocol}`, { origin, speaks: [protocol], ...(key && { key }) }),
        ]),
      ),
      routing: { circuit: { failures: 1_000 } },
    });
  });
  afterAll(async () => {
    await set.h.close();
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(set, {
    /** Answers from now on. */
    tell(next: Answer): void {
      answer = next;
    },
    ask: (name: SurfaceName, protocol: UpstreamProtocol, stream: boolean): Promise<Response> =>
      set.h.call(...asks[name](`on-${protocol}`, stream)),
  });
}
