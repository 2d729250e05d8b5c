/**
 * An application's own tests: it calls its vendor as in production, with the vendor's client and at the vendor's
 * address, and the simulator answers. Nothing leaves the process.
 */
import { createSimulator } from "@manifold-gateway/simulator";
import { simulatorHandlers } from "@manifold-gateway/testing/msw";
import { setupServer } from "msw/node";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { answer } from "./assistant.ts";

const simulator = createSimulator();
const server = setupServer(...simulatorHandlers(simulator));
let client: OpenAI;
beforeAll(() => {
  server.listen({ onUnhandledFrame: "error" });
  // Made afterwards: a client keeps the `fetch` that it finds.
  client = new OpenAI({ apiKey: "any", maxRetries: 1 });
});
beforeEach(() => simulator.reset());
afterAll(() => server.close());

const shop = { stateOf: (order: string) => `Order ${order} is on its way.` };

it("the assistant looks an order up, and says what it found", async () => {
  simulator.script('[[call:look_up {"order":"A-17"}]]');
  simulator.script({ text: "It is on its way." });
  expect(await answer(client, shop, "Where is my order A-17?")).toBe("It is on its way.");
  const [, second] = simulator.ledger.entries;
  expect(JSON.stringify(second?.request)).toContain("Order A-17 is on its way.");
});

it("the assistant tries again where the vendor has no room, and is charged once", async () => {
  simulator.script("[[fault:status=503]]", { times: 1 });
  expect(await answer(client, shop, "Hello")).toBe("You said: Hello");
  expect(simulator.ledger.entries.map(({ status, usage }) => [status, usage.output > 0])).toEqual([
    [503, false],
    [200, true],
  ]);
});

it("the assistant says so where no answer can be had", async () => {
  simulator.script("[[fault:reset]]", { times: 2 });
  expect(await answer(client, shop, "Hello")).toContain("cannot answer at the moment");
});

it("the assistant comes to an end where the model only ever calls", async () => {
  simulator.script("[[call:look_up]]", { times: 3 });
  expect(await answer(client, shop, "Where is it?")).toContain("too long");
  expect(simulator.ledger.totals().requests).toBe(3);
});
