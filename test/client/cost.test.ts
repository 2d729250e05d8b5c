import { costOf, models } from "@manifold-gateway/client/models";
import { expect, it } from "vitest";
import type { UsageEvent } from "../../packages/client/src/options.ts";
import { type Options, send, startClient } from "./stage.ts";

/** The usage that a client reports of one answer. */
async function usageOf(model: string, options: Options, stream = false): Promise<UsageEvent | undefined> {
  const events: UsageEvent[] = [];
  const fetch = startClient().client({ ...options, onUsage: (event) => void events.push(event) });
  await (await send(fetch, "chatstyle", model, "[[text:Good morning]]", stream)).text();
  expect(events).toHaveLength(1);
  return events[0];
}

const env = { OPENAI_API_KEY: "key" };

it.each([false, true])(
  "an answer of a listed model has its cost by the public list, streamed: %s",
  async (stream) => {
    const event = await usageOf("openai/gpt-4o", { env }, stream);
    expect(event?.usage.output).toBeGreaterThan(0);
    expect(event?.cost).toBe(costOf(event!.usage, models["openai/gpt-4o"].price));
    expect(event?.cost).toBeGreaterThan(0);
  },
);

it("a provider under another id has the prices of its preset", async () => {
  const event = await usageOf("mine/gpt-4o", { providers: { mine: { preset: "openai", key: "key" } } });
  expect(event?.cost).toBe(costOf(event!.usage, models["openai/gpt-4o"].price));
});

it("the price of a target counts in place of the list's", async () => {
  const price = { input: 1_000, output: 0 };
  const event = await usageOf("best", { env, models: { best: { target: "openai/gpt-4o", price } } });
  expect(event?.cost).toBe((event?.usage.input ?? 0) * 1_000);
});

it.each([
  ["a model that is not listed", "chatstyle/sim-text", {}],
  [
    "an address of one's own",
    "openai/gpt-4o",
    { providers: { openai: { origin: "http://own.test/v1", key: "key" } } },
  ],
])("an answer of %s has usage without a cost", async (_, model, options: Options) => {
  const event = await usageOf(model, { env, ...options });
  expect(event?.usage.output).toBeGreaterThan(0);
  expect(event).not.toHaveProperty("cost");
});
