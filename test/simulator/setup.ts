import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { createSimulator, type Simulator, type SimulatorOptions } from "@manifold-gateway/simulator";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach } from "vitest";

export interface Stage {
  simulator: Simulator;
  origin: string;
  openai: OpenAI;
  anthropic: Anthropic;
  google: GoogleGenAI;
  /** Posts a body as a protocol's own client would. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The same without a socket. */
  hand: Stage["post"];
}

const HEADERS = {
  "content-type": "application/json",
  authorization: "Bearer key",
  "x-goog-api-key": "key",
  "anthropic-version": "2023-06-01",
};

const requestTo = (
  origin: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Request =>
  new Request(origin + path, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    redirect: "manual",
  });

/** A simulator that listens for the length of a test file, and the official clients pointed at it. */
export function stage(options: SimulatorOptions = { now: () => 1_700_000_000_000 }): Stage {
  const set = { simulator: createSimulator(options) } as Stage;
  beforeAll(async () => {
    const { origin } = await set.simulator.listen();
    Object.assign(set, {
      origin,
      openai: new OpenAI({ apiKey: "key", baseURL: `${origin}/v1`, maxRetries: 0 }),
      anthropic: new Anthropic({ apiKey: "key", baseURL: origin, maxRetries: 0 }),
      google: new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: origin } }),
      post: (...asked: Parameters<Stage["post"]>) => fetch(requestTo(origin, ...asked)),
      hand: (...asked: Parameters<Stage["post"]>) =>
        set.simulator.fetch(requestTo("https://api.vendor.test", ...asked)),
    });
  });
  beforeEach(() => set.simulator.reset());
  afterAll(() => set.simulator.close());
  return set;
}

export const WEATHER = {
  type: "object",
  properties: { city: { type: "string" }, unit: { type: "string", enum: ["C", "F"] } },
  required: ["city"],
};

export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Everything an async source yields. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}
