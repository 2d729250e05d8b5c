import { createSimulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ADA, KEY } from "../../support/holder.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";
import { ELSEWHERE } from "./programs/gateway.ts";
import { type Running, runtimes } from "./start.ts";

/** One turn in the words of each surface: where it is sent, and its body. */
const surfaces: Record<string, (model: string, text: string, stream: boolean) => [string, object]> = {
  chatstyle: (model, content, stream) => [
    "/api/chatstyle/v1/chat/completions",
    { model, stream, messages: [{ role: "user", content }] },
  ],
  msgstyle: (model, content, stream) => [
    "/api/msgstyle/v1/messages",
    { model, stream, max_tokens: 100, messages: [{ role: "user", content }] },
  ],
  genstyle: (model, text, stream) => [
    `/api/genstyle/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    { contents: [{ role: "user", parts: [{ text }] }] },
  ],
};

/** All that an answer says, whole or in pieces. */
const spoken = (answer: string): string =>
  [...answer.matchAll(/"(?:content|text)":\s*("(?:[^"\\]|\\.)*")/g)]
    .map(([, text = '""']) => JSON.parse(text))
    .join("");

const simulator = createSimulator();
let upstream: string;
beforeAll(async () => {
  upstream = (await simulator.listen()).origin;
});
afterAll(() => simulator.close());

describe.each(runtimes)("a gateway in $name", ({ name, missing, start }) => {
  let running: Running;
  beforeAll(async () => {
    if (missing === undefined) running = await start(upstream);
  });
  afterAll(() => running?.close());
  beforeEach((context) => {
    if (missing !== undefined) context.skip(missing);
    simulator.reset();
  });

  const call = (path: string, body: object, init: RequestInit = {}): Promise<Response> =>
    running.fetch(
      new Request(`http://gateway.test${path}`, {
        method: "POST",
        headers: { "x-api-key": KEY, "content-type": "application/json" },
        body: JSON.stringify(body),
        ...init,
      }),
    );

  /** All that was generated, when it is settled. */
  const settled = async (count: number) => {
    for (let tries = 0; tries < 1_000; tries++) {
      const { results } = await running.store.generations.list(
        { accountId: ADA.id },
        { offset: 0, limit: 100 },
      );
      if (results.length >= count && results.every(({ status }) => status !== "pending")) return results;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("a generation was never settled");
  };

  it(`the gateway in ${name} answers on every surface, whole and streamed, and charges what was generated`, async () => {
    let count = 0;
    for (const [surface, ask] of Object.entries(surfaces))
      for (const protocol of PROTOCOLS)
        for (const stream of [false, true]) {
          const response = await call(...ask(modelOf(protocol), "Hello, wörld 🌍", stream));
          const text = await response.text();
          expect([surface, protocol, stream, response.status, text]).toEqual([
            surface,
            protocol,
            stream,
            200,
            text,
          ]);
          expect(spoken(text)).toContain("You said: Hello, wörld 🌍");
          if (stream) expect(response.headers.get("content-type")).toContain("text/event-stream");
          count += 1;
        }
    const generations = await settled(count);
    const { input, output } = simulator.ledger.totals();
    expect(output).toBeGreaterThan(0);
    expect(generations.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBe(input + 2 * output);
    expect(await running.store.money.audit()).toEqual([]);
  });

  it(`the gateway in ${name} goes on elsewhere where nobody was reached`, async () => {
    const [path, body] = surfaces.chatstyle!(ELSEWHERE, "Hello", false);
    const response = await call(path, body);
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining("You said: Hello"),
    ]);
  });

  it(`the gateway in ${name} does not go on where somebody may have been reached`, async () => {
    const reset = await call(...surfaces.chatstyle!(ELSEWHERE, "Hello [[fault:reset]]", false));
    expect([reset.status, simulator.ledger.entries.length]).toEqual([502, 1]);
    const cut = await call(...surfaces.chatstyle!(ELSEWHERE, "A long story [[fault:cut=600]]", true));
    expect(await cut.text()).toContain('"error"');
    expect(simulator.ledger.entries).toHaveLength(2);
  });

  it(`the gateway in ${name} refuses a wrong key and a broken body in the caller's form`, async () => {
    const [path] = surfaces.msgstyle!("any", "", false);
    const wrong = await call(
      path,
      {},
      { headers: { "x-api-key": "wrong", "content-type": "application/json" } },
    );
    expect([wrong.status, await wrong.json()]).toMatchObject([
      401,
      { error: { type: "authentication_error" } },
    ]);
    const broken = await call(path, {}, { body: "{" });
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: "invalid_json" }]);
  });
});
