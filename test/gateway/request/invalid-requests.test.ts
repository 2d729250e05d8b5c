import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";

const defects: string[] = [];
let h: Stage;
beforeAll(async () => {
  const note = (fields: Record<string, unknown>): void => void defects.push(String(fields.error));
  h = await startStage({ log: { info() {}, warn() {}, error: note } });
});
afterAll(() => h.close());

/** Where each wire's requests are sent; the generate-content wire names its model in the path. */
const PATHS: Record<string, (model: string) => string> = {
  chatstyle: () => "/api/chatstyle/v1/chat/completions",
  responses: () => "/api/chatstyle/v1/responses",
  msgstyle: () => "/api/msgstyle/v1/messages",
  genstyle: (model) => `/api/genstyle/v1beta/models/${model}:generateContent`,
  native: () => "/api/v1/text/completions",
};
const seeds = Object.keys(PATHS).flatMap((wire) => {
  const folder = resolve(import.meta.dirname, `../../../packages/testing/fixtures/${wire}/requests`);
  return readdirSync(folder).map((file) => ({
    wire,
    name: `${wire}/${file}`,
    text: readFileSync(join(folder, file), "utf8"),
  }));
});

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Every place in a value, as the keys that lead to it. */
function places(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [
    path,
    ...[...keys].flatMap((key) =>
      places((value as Record<string | number, Json>)[key] as Json, [...path, key]),
    ),
  ];
}

function replaced(value: Json, path: (string | number)[], by: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return by ?? null;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    Json
  >;
  if (rest.length === 0 && by === undefined) delete copy[key];
  else copy[key] = replaced(copy[key] as Json, rest, by);
  return copy as Json;
}

async function send(wire: string, model: string, body: Json): Promise<Response> {
  const named =
    typeof body === "object" &&
    body !== null &&
    !Array.isArray(body) &&
    wire !== "genstyle" &&
    "model" in body;
  return h.call((PATHS[wire] as (model: string) => string)(model), named ? { ...body, model } : body);
}

describe("every recorded request on every upstream protocol", () => {
  it.each(seeds)(
    "a recorded request is answered, or refused with a reason: $name",
    async ({ wire, text }) => {
      for (const protocol of PROTOCOLS) {
        const response = await send(wire, modelOf(protocol), JSON.parse(text));
        const answer = await response.text();
        expect([protocol, response.status < 500, answer.slice(0, 300)]).toEqual([
          protocol,
          true,
          answer.slice(0, 300),
        ]);
        if (response.status >= 400) expect(JSON.parse(answer)).toHaveProperty("error");
      }
      expect(defects).toEqual([]);
    },
  );
});

describe("invalid requests", () => {
  it("an invalid request never causes a defect and never hangs", { timeout: 120_000 }, async () => {
    const odd = fc.oneof(
      fc.constantFrom<Json | undefined>(
        undefined,
        null,
        "",
        [],
        {},
        0,
        -1,
        1e308,
        true,
        "\ud800",
        "data:,",
        [null],
        { type: "x" },
      ),
      fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
    );
    const mutated = fc
      .record({
        seed: fc.constantFrom(...seeds),
        protocol: fc.constantFrom(...PROTOCOLS),
        at: fc.nat(),
        by: odd,
      })
      .map(({ seed, protocol, at, by }) => {
        const value = JSON.parse(seed.text) as Json;
        const all = places(value);
        return {
          wire: seed.wire,
          protocol,
          body: replaced(value, all[at % all.length] as (string | number)[], by),
        };
      });
    await fc.assert(
      fc.asyncProperty(mutated, async ({ wire, protocol, body }) => {
        const response = await send(wire, modelOf(protocol), body);
        const answer = await response.text();
        expect([response.status === 500, answer.slice(0, 200)]).toEqual([false, answer.slice(0, 200)]);
        expect(defects).toEqual([]);
      }),
      { numRuns: 120 },
    );
    await h.settled();
    expect(await h.store.money.audit()).toEqual([]);
  });

  it("text that is not valid Unicode goes through whole", async () => {
    const body =
      '{"model":"sim-chatstyle","messages":[{"role":"user","content":"a\\ud800b \\u0000 \\u2028 c"}]}';
    const response = await h.call("/api/chatstyle/v1/chat/completions", body);
    expect((await response.json()).choices[0].message.content).toContain("a\ud800b \u0000 \u2028 c");
  });
});
