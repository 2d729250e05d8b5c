import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient, inParallel, type Reply } from "./client.ts";
import { PLACES, setting, storeOf } from "./places.ts";
import { startGateways } from "./process.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

/**
 * Requests against one limit, how many of them are under way at one time, and how often every cell runs. A cell asks
 * against as many limits as there are payers, all at once. The long run is `10000` and `10`.
 */
const REQUESTS = setting("MONEY_REQUESTS", 120);
const IN_FLIGHT = setting("MONEY_IN_FLIGHT", 60);
const ROUNDS = setting("MONEY_ROUNDS", 1);

/** Micro-USD. What is held for a request of the fixed model is what it costs. */
const FIXED = 1_000;
const MOST_OUTPUT = 50;
/** What the token model costs at most: three input tokens, at one for each token. */
const MOST_COST = 3 + MOST_OUTPUT;
const MODELS = { fixed: { requests: FIXED / 1e6 }, tokens: { input: 1, output: 1 } } as const;
type Model = keyof typeof MODELS;

const outputOf = (index: number): number => (index * 37) % (MOST_OUTPUT + 1);

/** An account whose cap or balance is too small for about a third of its requests. */
interface Payer {
  name: string;
  key: string;
  model: Model;
  bound: "cap" | "balance";
  limit: number;
}
const LIMITS = {
  // Not a multiple of the cost, so that the policies differ: the last one passes the limit, or is refused.
  fixed: Math.floor(REQUESTS * 0.6) * FIXED + FIXED / 2,
  tokens: Math.floor(REQUESTS * 0.6 * (3 + MOST_OUTPUT / 2)),
};
const EVERYONE: readonly Payer[] = (["fixed", "tokens"] as const).flatMap((model) =>
  (["cap", "balance"] as const).map((bound) => ({
    name: `${model}-${bound}`,
    key: `key-of-${model}-${bound}`.padEnd(32, "-"),
    model,
    bound,
    limit: LIMITS[model],
  })),
);
/** Some of them, where the environment names them: `fixed-cap,tokens-balance`. */
const NAMED = process.env.MONEY_PAYERS?.split(",");
const PAYERS = EVERYONE.filter(({ name }) => !NAMED || NAMED.includes(name));
const REFUSED = { cap: 429, balance: 403 } as const;

const usd = (micro: number): number => micro / 1e6;
const accounts = Object.fromEntries(
  PAYERS.map(({ name, key, bound, limit }) => [
    name,
    bound === "cap"
      ? { balance: 1_000, keys: { only: { key, caps: { total: usd(limit) } } } }
      : { balance: usd(limit), keys: { only: key } },
  ]),
);

let upstream: Upstream;
let client: Client;
beforeAll(async () => {
  upstream = await startUpstream();
  client = createClient(IN_FLIGHT * PAYERS.length);
});
afterAll(async () => {
  client?.close();
  await upstream?.close();
});

const POLICIES = ["strict", "threshold"] as const;
/** In the short form, each place has one policy. */
const policiesAt = (place: number) =>
  process.env.MONEY_REQUESTS ? POLICIES : [POLICIES[place % POLICIES.length]!];

/** The long run has every place; the short one those where processes share a database, each with a policy. */
const places = process.env.MONEY_REQUESTS ? PLACES : PLACES.filter(({ processes }) => processes > 1);
const cells = places.flatMap((place, at) =>
  policiesAt(at).flatMap((admission) =>
    Array.from({ length: ROUNDS }, (_, round) => ({ ...place, admission, round })),
  ),
);

describe.each(cells)(
  "simultaneous requests on $name, $admission, round $round",
  ({ processes, make, admission, round }) => {
    it("simultaneous requests are admitted as the policy says, no more and no fewer", {
      timeout: 60_000 + 60 * REQUESTS * PAYERS.length,
    }, async () => {
      const database = await make();
      const run = `${database.location} ${admission} ${round}`;
      const userOf = (payer: Payer): string => `${run} ${payer.name}`;
      const gateways = await startGateways(processes, {
        store: storeOf(database),
        admission,
        providers: { near: { protocol: "chatstyle", origin: upstream.origin, key: "secret-of-upstream" } },
        models: Object.fromEntries(
          Object.entries(MODELS).map(([id, price]) => [
            id,
            { entries: [{ provider: "near", name: id, price }] },
          ]),
        ),
        accounts,
        limits: { connectionsPerAddress: 20_000, requestsPerMinutePerAddress: 1_000_000_000 },
      });
      const began = Date.now();
      try {
        const ask = (payer: Payer, index: number): Promise<Reply> =>
          client.post(`${gateways[index % processes]!.origin}/api/chatstyle/v1/chat/completions`, payer.key, {
            model: payer.model,
            user: userOf(payer),
            max_tokens: MOST_OUTPUT,
            messages: [{ role: "user", content: String(outputOf(index)) }],
          });
        const admitted = new Map<string, number>(PAYERS.map(({ name }) => [name, 0]));
        /** True where the request was admitted; anything but the bound's own refusal fails the test. */
        const tell = (payer: Payer, { status, body }: Reply): boolean => {
          if (status !== 200 && status !== REFUSED[payer.bound])
            throw new Error(`${payer.name}: ${status} ${body}`);
          if (status === 200) admitted.set(payer.name, admitted.get(payer.name)! + 1);
          return status === 200;
        };
        await inParallel(IN_FLIGHT * PAYERS.length, async (index) => {
          if (index >= REQUESTS * PAYERS.length) return false;
          const payer = PAYERS[index % PAYERS.length]!;
          tell(payer, await ask(payer, Math.floor(index / PAYERS.length)));
          return true;
        });
        // Where more is held than it comes to, strict refused while holds were out; alone, the next fits or is over.
        for (const payer of PAYERS)
          for (let index = 0; tell(payer, await ask(payer, index)); index++)
            expect(index, `${payer.name} is never refused`).toBeLessThan(REQUESTS);

        const store = await database.open();
        try {
          expect(await store.money.audit()).toEqual([]);
          const rows = await database.execute(
            `SELECT a.name AS name, COUNT(g.id) AS records, COALESCE(SUM(g.cost), 0) AS spent, MAX(g.cost) AS most,
            MAX(g.held + g.leased) AS hold, MAX(a.held) AS held FROM accounts AS a JOIN generations AS g ON g.account_id = a.id
            GROUP BY a.name`,
          );
          expect(rows).toHaveLength(PAYERS.length);
          for (const payer of PAYERS) {
            const row = rows.find(({ name }) => name === payer.name)!;
            const [records, spent, most, hold, held] = ["records", "spent", "most", "hold", "held"].map(
              (column) => Number(row[column]),
            ) as [number, number, number, number, number];
            const { name, limit } = payer;
            expect({ name, held, records }).toEqual({ name, held: 0, records: admitted.get(name) });
            expect(upstream.calls.get(userOf(payer)), `${name}: what was refused was not sent`).toBe(records);
            // The refusal that ended the loop above came with nothing held.
            if (admission === "strict") {
              expect(spent, name).toBeLessThanOrEqual(limit);
              expect(spent + hold, name).toBeGreaterThan(limit);
            } else {
              expect(spent, name).toBeGreaterThanOrEqual(limit);
              expect(spent, name).toBeLessThan(limit + most);
            }
            // A hold that is the cost never shrinks: at no moment was there room for one more than this.
            if (payer.model === "fixed")
              expect(records, name).toBe(Math[admission === "strict" ? "floor" : "ceil"](limit / FIXED));
            else expect(most, name).toBeLessThanOrEqual(MOST_COST);
            if (process.env.MONEY_REQUESTS)
              console.log(
                `${admission} ${name}: ${REQUESTS} asked, ${records} admitted, ${spent} of ${limit} spent`,
              );
          }
          if (process.env.MONEY_REQUESTS)
            console.log(`${processes} ${database.dialect} ${round}: ${(Date.now() - began) / 1_000} s`);
        } finally {
          await store.close();
        }
      } finally {
        await Promise.all(gateways.map((gateway) => gateway.stop()));
        await database.drop();
      }
    });
  },
);
