import { expect } from "vitest";
import type { Stage } from "../../support/stage.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";

/** What every client asks of every model. The simulator answers by what the last user text says. */
export const WEATHER = {
  name: "get_weather",
  description: "The weather of a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, unit: { type: "string", enum: ["c", "f"] } },
    required: ["city"],
    additionalProperties: false,
  },
};
export const CALL = '[[call:get_weather {"city":"Paris","unit":"c"}]]';
export const TWO_CALLS = '[[call:get_weather {"city":"Paris"}]] [[call:get_weather {"city":"Oslo"}]]';
export const ANSWER_SCHEMA = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" } },
  required: ["name", "age"],
  additionalProperties: false,
};
/** A PNG of one pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A model of every upstream protocol. */
export const MODELS = PROTOCOLS.map((protocol) => ({ model: modelOf(protocol), protocol }));

async function lastRecord(h: Stage) {
  await h.settled();
  expect(await h.store.money.audit()).toEqual([]);
  const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
  return results[0];
}

/** A reply that broke off after saying this is charged by it. */
export async function expectChargeOfBroken(h: Stage, said: string): Promise<void> {
  expect(said).not.toBe("");
  const record = await lastRecord(h);
  const output = Math.ceil(said.length / 4);
  expect(record).toMatchObject({ status: "failed", usage: { estimated: true, output } });
  expect(record?.cost).toBe(Number(record?.usage?.input) + 2 * output);
}

/** A reply that the caller left midway is charged by what upstream generated of it, which is all. */
export async function expectChargeOfAborted(h: Stage, before: number): Promise<void> {
  const isWhole = () => h.simulator.ledger.last()?.delivered === "complete";
  for (let tries = 0; !isWhole(); tries++) {
    if (tries > 2_000) throw new Error("upstream was not heard to its end");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect((await lastRecord(h))?.status).toBe("aborted");
  expect(h.simulator.ledger.entries).toHaveLength(1);
  const { input = 0, output = 0 } = h.simulator.ledger.last()?.usage ?? {};
  expect(output).toBeGreaterThan(0);
  expect(before - (await h.balance()).balance).toBe(input + 2 * output);
}

/** Said slowly, so that there is a middle to leave in. */
export const SLOW = `${"long ".repeat(80)}[[fault:slow=2]]`;
