import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Open } from "../../../packages/gateway/src/routing/candidate.ts";
import { noPreferences } from "../../../packages/gateway/src/routing/preferences.ts";
import { createRouting } from "../../../packages/gateway/src/routing/routing.ts";
import { selectEntries } from "../../../packages/gateway/src/routing/select.ts";
import { startStage } from "../../support/stage.ts";
import { CHAT, model, price } from "../../support/text.ts";

type Entry = Model["entries"][number];
const entriesOf = (weights: readonly (number | undefined)[], priority = 1): Entry[] =>
  weights.map((weight, i) => ({
    provider: "p",
    name: `${priority}-${i}`,
    priority,
    isActive: true,
    price,
    ...(weight !== undefined && { weight }),
  }));

const providers = new Map([["p", defineProvider("p", { origin: "http://p.test", speaks: ["chatstyle"] })]]);

/** The names of a model's entries in the order in which a conversation is sent to them. */
function orderOf(entries: Entry[]): (identity: string) => string[] {
  const deps = {
    catalog: createCatalog([model("m", "", { entries })]),
    providers,
    routing: createRouting({}, Date.now),
    now: Date.now,
  };
  const ask = { operation: "text", model: "m", account: "acc", preferences: noPreferences } as const;
  return (identity) =>
    selectEntries(deps, ask, {
      fit: (open: Open) => open,
      identity: () => identity,
      // The cheapest stands last: weights go before prices.
      standing: ({ entry: { name } }) => ({ price: -entries.findIndex((one) => one.name === name) }),
    }).candidates.map(({ entry }) => entry.name);
}

const CONVERSATIONS = 500;

it("entries of one priority share the conversations as their weights say, and those without one count as 1", () => {
  const weight = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(weight, { minLength: 1, maxLength: 3 }), fc.string(), (rest, salt) => {
      const weights = [3, ...rest];
      const order = orderOf([...entriesOf(weights), ...entriesOf([5], 2)]);
      const wins = new Map<string, number>();
      for (let i = 0; i < CONVERSATIONS; i++) {
        const names = order(`${salt} ${i}`);
        wins.set(names[0] ?? "", (wins.get(names[0] ?? "") ?? 0) + 1);
        expect(names.at(-1)).toBe("2-0");
      }
      const sum = weights.reduce<number>((all, one) => all + (one ?? 1), 0);
      for (const [i, one] of weights.entries()) {
        const share = (one ?? 1) / sum;
        // Six times the spread of chance.
        const most = 6 * Math.sqrt(share * (1 - share) * CONVERSATIONS) + 1;
        expect(Math.abs((wins.get(`1-${i}`) ?? 0) - share * CONVERSATIONS)).toBeLessThan(most);
      }
    }),
    { numRuns: 4 },
  );
});

it("entries of a priority without weights go by price, as if no other had one", () => {
  const order = orderOf([...entriesOf([undefined, undefined]), ...entriesOf([1, 1], 2)]);
  for (let i = 0; i < 20; i++) expect(order(`${i}`).slice(0, 2)).toEqual(["1-1", "1-0"]);
});

it("turns of a conversation go to one of several weighted entries, and an explanation says so", async () => {
  const weighted = model("m", "", { entries: entriesOf([1, 1, 1]) });
  const stage = await startStage({
    listens: false,
    models: [weighted],
    providers: (origin) => new Map([["p", defineProvider("p", { origin, speaks: ["chatstyle"], key: "k" })]]),
  });
  const served = new Set<string>();
  for (let i = 0; i < 12; i++) {
    const turns = [{ role: "user", content: `conversation ${i}` }];
    const first = await stage.call(CHAT, { model: "m", messages: turns });
    const more = [...turns, { role: "assistant", content: "yes" }, { role: "user", content: "more" }];
    const second = await stage.call(CHAT, { model: "m", messages: more });
    expect(second.status).toBe(200);
    expect(second.headers.get("x-entry")).toBe(first.headers.get("x-entry"));
    served.add(first.headers.get("x-entry") ?? "");
  }
  expect(served.size).toBe(3);
  const ask = { model: "m", messages: [{ role: "user", content: "hello" }] };
  const { route } = await stage.json(CHAT, ask, 200, { headers: { "x-explain": "true" } });
  expect(route.candidates[1].decidedBy).toBe("weight");
  const draws = route.candidates.map(({ rank }: { rank: { weight: number } }) => rank.weight);
  expect(draws).toEqual([...draws].sort((a, b) => b - a));
  expect(await stage.store.money.audit()).toEqual([]);
  await stage.close();
});
