import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model } from "../../support/text.ts";

const price = { input: 3_000_000, output: 0, cacheRead: 300_000, cacheWrite: 3_750_000 };
let h: Stage;
beforeAll(async () => {
  const entry = { provider: "msgstyle", name: "sim-msgstyle", priority: 1, isActive: true, price };
  h = await startStage({
    models: [model("marked", "msgstyle", { entries: [{ ...entry, traits: { promptCache: 1024 } }] })],
  });
});
afterAll(() => h.close());

const parameters = { type: "object", properties: { path: { type: "string" } } };
const tools = [
  { type: "function", function: { name: "look", description: "Reads a file. ".repeat(500), parameters } },
];

it("a translated conversation is charged for what its provider wrote to its cache and read from it", async () => {
  const messages: object[] = [{ role: "user", content: "What is in the file?" }];
  const bills: (Record<string, number | undefined> & { cost: number })[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const response = await h.call(CHAT, { model: "marked", tools, messages });
    const { choices } = await response.json();
    const id = response.headers.get("x-generation-id") as string;
    const record = await h.store.generations.get({ id, accountId: "acc" });
    bills.push({ ...(record?.usage as object), cost: record?.cost ?? 0 });
    messages.push({ role: "assistant", content: choices[0].message.content ?? "I see." });
    messages.push({ role: "user", content: `And in file ${turn}? ${"Look well. ".repeat(50)}` });
  }
  const [first, ...later] = bills;
  expect(first?.cacheRead ?? 0).toBe(0);
  expect(first?.cacheWrite).toBeGreaterThan(1024);
  for (const [i, bill] of later.entries()) {
    const { cacheRead = 0, cacheWrite = 0 } = bill;
    // A turn reads all that the turn before has read and written.
    expect(cacheRead).toBe((bills[i]?.cacheRead ?? 0) + (bills[i]?.cacheWrite ?? 0));
    expect(cacheWrite).toBeLessThan(cacheRead);
    expect(bill.cost).toBeLessThan((first?.cost ?? 0) / 2);
  }
});
