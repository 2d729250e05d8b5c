import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
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

/** Clients that try once, so that what fails is seen. */
export const clientsOf = (origin: string, apiKey = KEY): Clients => ({
  chatstyle: new OpenAI({ apiKey, baseURL: `${origin}/api/chatstyle/v1`, maxRetries: 0 }),
  msgstyle: new Anthropic({ apiKey, baseURL: `${origin}/api/msgstyle`, maxRetries: 0 }),
  genstyle: new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${origin}/api/genstyle` } }),
});

/** A gateway for the length of a test file and clients of it; its upstream forgets before each test. */
export function stage(more: Parameters<typeof startStage>[0] = {}): Clients & { h: Stage } {
  const set = {} as Clients & { h: Stage };
  beforeAll(async () => {
    const h = await startStage(more);
    Object.assign(set, { h, ...clientsOf(h.origin) });
  });
  afterAll(() => set.h.close());
  beforeEach(() => set.h.simulator.reset());
  return set;
}
