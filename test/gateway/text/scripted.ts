import { createServer } from "node:http";
import type { Protocol } from "@manifold-gateway/core";
import { defineProvider, type UpstreamProtocol } from "@manifold-gateway/providers";
import { afterAll, beforeAll } from "vitest";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, PROTOCOLS } from "../../support/text.ts";
import { askOf, type CallerProtocol, callers } from "../../support/wires/index.ts";
import type { CallerWire } from "../../support/wires/wire.ts";

export interface Answer {
  status?: number;
  type?: string;
  text: string;
  headers?: Record<string, string>;
}

type Asks = CallerWire["ask"];

/** What a gateway is asked by: a surface, or one form of one. */
export type SurfaceName = CallerProtocol | "native" | "array";

/** A small request of each surface; the last two only stream. */
export const asks = {
  ...Object.fromEntries(
    [...callers, "native" as const].map((name): [string, Asks] => [
      name,
      (id, stream) => askOf(name, id, stream),
    ]),
  ),
  array: (id: string) => [`/api/genstyle/v1beta/models/${id}:streamGenerateContent`, { contents: "Hello" }],
} as unknown as Record<SurfaceName, Asks>;
const surfaces = Object.keys(asks) as SurfaceName[];

/** Every surface that is named with every protocol of a provider. Protocols without a surface are left out. */
export const cellsOf = (names: readonly (SurfaceName | Protocol)[] = surfaces) =>
  names
    .filter((name): name is SurfaceName => surfaces.includes(name as SurfaceName))
    .flatMap((name) => PROTOCOLS.map((protocol) => ({ name, protocol })));

/** A gateway with a provider for each protocol; they all answer what they were told to. */
export function scripted(key?: string) {
  let answer: Answer = { text: "" };
  const server = createServer((request, response) => {
    request.resume();
    const { status = 200, type = "application/json", text, headers } = answer;
    response.writeHead(status, { "content-type": type, ...headers }).end(text);
  });
  const set = {} as { h: Stage };
  beforeAll(async () => {
    const { origin } = await listen(server);
    set.h = await startStage({
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
