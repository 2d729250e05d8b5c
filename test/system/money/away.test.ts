import { createSimulator, type LedgerEntry, type Simulator } from "@manifold-gateway/simulator";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openers } from "../../store/databases/open.ts";
import { type OwnServer, startServer } from "../../store/databases/server.ts";
import { createClient, inParallel, type Reply } from "./client.ts";
import { setting } from "./places.ts";
import { startGateways } from "./process.ts";

/** For how long the server has ended, in ms. Without it there is no run, as it starts a server of its own: `60000`. */
const AWAY_MS = setting("MONEY_AWAY_MS", 0);
const IN_FLIGHT = 24;
const GATEWAYS = 2;
const BALANCE = 1_000_000_000;
const KEY = "key-of-the-payer-0123456789abcdef";
const PRICE = { input: 1, output: 2 };
const MODELS = { relayed: "chatstyle", translated: "msgstyle" } as const;
const TEXTS = ["[[fault:delay=20]] once", `[[fault:slow=20]] ${"some words ".repeat(20)}`];

interface Answer extends Reply {
  at: number;
  tookMs: number;
}

let simulator: Simulator;
let upstream: string;
let server: OwnServer;
beforeAll(async () => {
  if (AWAY_MS === 0) return;
  simulator = createSimulator({ ledgerSize: 1_000_000 });
  ({ origin: upstream } = await simulator.listen());
  server = await startServer({ isDurable: true });
}, 60_000);
afterAll(async () => {
  await simulator?.close();
  await server?.stop();
});

const configOf = (store: string): object => ({
  store,
  providers: Object.fromEntries(
    Object.values(MODELS).map((protocol) => [
      protocol,
      { protocol, origin: upstream, key: "secret-of-upstream" },
    ]),
  ),
  models: Object.fromEntries(
    Object.entries(MODELS).map(([id, protocol]) => [
      id,
      { entries: [{ provider: protocol, name: `sim-${protocol}`, price: PRICE }] },
    ]),
  ),
  accounts: { payer: { balance: BALANCE / 1e6, keys: { only: KEY } } },
  limits: { requestsPerMinutePerAddress: 1_000_000 },
});

const markOf = (text: string): string => /mark-\d+-/.exec(text)?.[0] ?? "";
const costOf = ({ usage }: LedgerEntry): number => usage.input * PRICE.input + usage.output * PRICE.output;

describe.skipIf(AWAY_MS === 0).each(["in order", "at once"] as const)(
  "gateways whose Postgres ends %s and is started again",
  (how) => {
    it("gateways refuse while their database is away, go on after it, and charge each request once", {
      timeout: 120_000 + 3 * AWAY_MS,
    }, async () => {
      const name = `away_${how.replace(" ", "_")}`;
      const execute = async (sql: string, database = name) => {
        const connectionString = Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
        const one = new pg.Client({ connectionString });
        await one.connect();
        return (await one.query(sql).finally(() => one.end())).rows;
      };
      await execute(`CREATE DATABASE ${name}`, "postgres");
      const location = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
      simulator.reset();
      const gateways = await startGateways(GATEWAYS, configOf(location));
      const client = createClient(IN_FLIGHT);
      const answers = new Map<string, Answer>();
      let isOver = false;
      const load = inParallel(IN_FLIGHT, async (index) => {
        if (isOver) return false;
        const mark = `mark-${index}-`;
        const content = `${mark} ${TEXTS[index % 2]}`;
        const at = Date.now();
        const reply = await client.post(
          `${gateways[index % GATEWAYS]!.origin}/api/chatstyle/v1/chat/completions`,
          KEY,
          {
            model: Object.keys(MODELS)[Math.floor(index / 2) % 2],
            stream: index % 2 === 1,
            max_tokens: 2_000,
            messages: [{ role: "user", content }],
          },
        );
        answers.set(mark, { ...reply, at, tookMs: Date.now() - at });
        // A refusal comes at once; without a pause there would be nothing but those.
        if (reply.status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
        return true;
      });
      const succeededSince = (from: number): number =>
        [...answers.values()].filter(({ at, status, whole }) => at >= from && status === 200 && whole).length;
      const patience = { timeout: 60_000, interval: 50 };
      try {
        await expect.poll(() => succeededSince(0), patience).toBeGreaterThan(100);
        const endedAt = Date.now();
        await server.end(how);
        await expect.poll(() => Date.now() - endedAt, { timeout: AWAY_MS + 5_000 }).toBeGreaterThan(AWAY_MS);
        const startedAt = Date.now();
        await server.start();
        await expect.poll(() => succeededSince(startedAt), patience).toBeGreaterThan(200);
        const backMs = Math.min(
          ...[...answers.values()].flatMap(({ at, tookMs, status }) =>
            status === 200 && at >= startedAt ? [at + tookMs - startedAt] : [],
          ),
        );
        isOver = true;
        await load;
        for (const gateway of gateways) await gateway.stop();

        const refused = [...answers.values()].filter(({ status, whole }) => whole && status !== 200);
        expect(refused.length).toBeGreaterThan(0);
        expect([
          ...new Set(refused.map(({ status, body }) => `${status} ${/"code":"(\w+)"/.exec(body)?.[1]}`)),
        ]).toEqual(["503 database_unavailable"]);
        const longestMs = Math.max(...[...answers.values()].map(({ tookMs }) => tookMs));
        expect(longestMs).toBeLessThan(30_000);

        const store = await openers.postgres(location);
        try {
          expect(await store.money.recover(Date.now())).toEqual({ settled: 0, released: 0 });
          expect(await store.money.audit()).toEqual([]);
        } finally {
          await store.close();
        }
        const rows = await execute(
          "SELECT g.id, g.status, g.cost::int AS cost, r.content FROM generations AS g JOIN requests AS r ON r.id = g.id",
        );
        const records = new Map(rows.map((row) => [markOf(String(row.content)), row]));
        expect(records.size).toBe(rows.length);
        // What the provider did is charged once, whatever its client was told, and nothing else is.
        const asked = simulator.ledger.entries.map((entry) => ({
          mark: markOf(JSON.stringify(entry.request)),
          status: "succeeded",
          cost: costOf(entry),
        }));
        expect(new Set(asked.map(({ mark }) => mark)).size).toBe(asked.length);
        const charged = new Map(rows.filter(({ cost }) => cost > 0).map((row) => [markOf(row.content), row]));
        const unasked = [...charged.keys()].filter((mark) => !asked.some((one) => one.mark === mark));
        expect(unasked).toEqual([]);
        let released = 0;
        for (const { mark, status, cost } of asked) {
          const answer = answers.get(mark)!;
          const record = records.get(mark);
          if (answer.status === 200 && answer.whole) expect(record?.id).toBe(answer.generation);
          // A whole answer whose end could not be written is kept from its client, and given up.
          const isReleased = answer.status === 503 && record?.status === "failed";
          if (isReleased) released += 1;
          expect({ mark, status: record?.status, cost: record?.cost }).toEqual({
            mark,
            ...(isReleased ? { status: "failed", cost: 0 } : { status, cost }),
          });
        }
        const spent = [...charged.values()].reduce((sum, { cost }) => sum + Number(cost), 0);
        const [account] = await execute("SELECT balance, held FROM accounts WHERE name = 'payer'");
        expect([Number(account.balance), Number(account.held)]).toEqual([BALANCE - spent, 0]);
        console.log(how, {
          awayMs: startedAt - endedAt,
          backMs,
          longestMs,
          asked: answers.size,
          refused: refused.length,
          broken: [...answers.values()].filter(({ whole }) => !whole).length,
          charged: charged.size,
          released,
        });
      } finally {
        isOver = true;
        client.close();
        await Promise.all(gateways.map((gateway) => gateway.kill()));
      }
    });
  },
);
