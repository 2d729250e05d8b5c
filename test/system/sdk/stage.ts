import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { gatewayHandlers } from "@manifold-gateway/testing/msw";
import { setupServer } from "msw/node";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";

/** The official clients, by the surface of a gateway that each speaks to. */
export interface Clients {
  chatstyle: OpenAI;
  msgstyle: Anthropic;
  genstyle: GoogleGenAI;
}

type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Clients that try once, so that what fails is seen. They keep the `fetch` of now, unless they are given one. */
export const clientsOf = (origin: string, apiKey = KEY, fetch?: Send): Clients => ({
  chatstyle: new OpenAI({ apiKey, baseURL: `${origin}/api/chatstyle/v1`, maxRetries: 0, fetch }),
  msgstyle: new Anthropic({ apiKey, baseURL: `${origin}/api/msgstyle`, maxRetries: 0, fetch }),
  // Handlers answer this one, which takes no `fetch`.
  genstyle: new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${origin}/api/genstyle` } }),
});

/**
 * A gateway for the length of a test file and clients of it; its upstream forgets before each test. Without sockets
 * the clients are answered by the gateway itself, and it by the simulator.
 */
export function stage(more: Parameters<typeof startStage>[0] = {}): Clients & { h: Stage } {
  const set = {} as Clients & { h: Stage };
  const server = setupServer();
  const isApart = more.listens === false;
  beforeAll(async () => {
    const h = await startStage(more);
    const send: Send = async (input, init) => h.gateway.fetch(new Request(input, init));
    if (isApart) {
      server.use(...gatewayHandlers({ origin: h.origin, fetch: send }));
      server.listen({ onUnhandledFrame: "error" });
    }
    Object.assign(set, { h, ...clientsOf(h.origin, KEY, isApart ? send : undefined) });
  });
  afterAll(async () => {
    if (isApart) server.close();
    await set.h.close();
  });
  beforeEach(() => set.h.simulator.reset());
  return set;
}
