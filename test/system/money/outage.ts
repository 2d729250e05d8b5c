import { createSimulator, type LedgerEntry, type Simulator } from "@manifold-gateway/simulator";
import pg from "pg";
import { expect } from "vitest";
import { openers } from "../../store/databases/open.ts";
import type { OwnServer } from "../../store/databases/server.ts";
import { createClient, inParallel, type Reply } from "./client.ts";
import { startGateways } from "./process.ts";

const IN_FLIGHT = 24;
const GATEWAYS = 2;
const BALANCE = 1_000_000_000;
const KEY = "key-of-the-payer-0123456789abcdef";
const PRICE = { input: 1, output: 2 };
const MODELS = { relayed: "chatstyle", translated: "msgstyle" } as const;
const TEXTS = ["[[fault:delay=20]] once", `[[fault:slow=20]] ${"some words ".repeat(20)}`];
const PATIENCE = { timeout: 120_000, interval: 50 };

/** A database that takes no writes for a while. */
export interface Outage {
  /** Of an empty database. */
  store: { dialect: keyof typeof openers; location: string };
  execute(sql: string): Promise<Record<string, unknown>[]>;
  /** Begins it; requests that need the database are refused from then on, or soon after. */
  begin(): void | Promise<void>;
  /** Ends it. */
  end(): void | Promise<void>;
  /** From the first refusal on. */
  lastsMs: number;
}

/** A new, empty database of a server, in a tablespace where one is named. */
export async function makeDatabase(
  { url }: Pick<OwnServer, "url">,
  name: string,
  tablespace?: string,
): Promise<Pick<Outage, "store" | "execute">> {
  const run = async (sql: string, database: string): Promise<Record<string, unknown>[]> => {
    const one = new pg.Client({ connectionString: at(database) });
    await one.connect();
    return (await one.query(sql).finally(() => one.end())).rows;
  };
  const at = (database: string): string => Object.assign(new URL(url), { pathname: `/${database}` }).href;
  if (tablespace) await run(`CREATE TABLESPACE small LOCATION '${tablespace}'`, "postgres");
  await run(`CREATE DATABASE ${name}${tablespace ? " TABLESPACE small" : ""}`, "postgres");
  return { store: { dialect: "postgres", location: at(name) }, execute: (sql) => run(sql, name) };
}

/** The provider that gateways have in an outage. */
export interface Provider {
  simulator: Simulator;
  origin: string;
}

export async function startProvider(): Promise<Provider> {
  const simulator = createSimulator({ ledgerSize: 1_000_000 });
  return { simulator, origin: (await simulator.listen()).origin };
}

interface Answer extends Reply {
  at: number;
  tookMs: number;
}

const configOf = (store: string, origin: string): object => ({
  store,
  providers: Object.fromEntries(
    Object.values(MODELS).map((protocol) => [protocol, { protocol, origin, key: "secret-of-upstream" }]),
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

/**
 * Two gateways under load before, during and after an outage. Fails unless requests are refused as unavailable in
 * the outage, succeed after it, and each that the provider served is charged once. Resolves to figures to print.
 */
export async function surviveOutage(outage: Outage, { simulator, origin }: Provider): Promise<object> {
  const { store: where, execute, lastsMs } = outage;
  simulator.reset();
  const gateways = await startGateways(
    GATEWAYS,
    configOf(where.dialect === "sqlite" ? `sqlite:${where.location}` : where.location, origin),
  );
  const client = createClient(IN_FLIGHT);
  const answers = new Map<string, Answer>();
  let isOver = false;
  const load = inParallel(IN_FLIGHT, async (index) => {
    if (isOver) return false;
    const mark = `mark-${index}-`;
    const content = `${mark} ${TEXTS[index % 2]}`;
    const at = Date.now();
    const url = `${gateways[index % GATEWAYS]!.origin}/api/chatstyle/v1/chat/completions`;
    const reply = await client.post(url, KEY, {
      model: Object.keys(MODELS)[Math.floor(index / 2) % 2],
      stream: index % 2 === 1,
      max_tokens: 2_000,
      user: mark,
      messages: [{ role: "user", content }],
    });
    answers.set(mark, { ...reply, at, tookMs: Date.now() - at });
    // A refusal comes at once; without a pause there would be nothing but those.
    if (reply.status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    return true;
  });
  const refused = (): Answer[] =>
    [...answers.values()].filter(({ status, whole }) => whole && status !== 200);
  const succeededSince = (from: number): number =>
    [...answers.values()].filter(({ at, status, whole }) => at >= from && status === 200 && whole).length;
  try {
    await expect.poll(() => succeededSince(0), PATIENCE).toBeGreaterThan(100);
    await outage.begin();
    await expect.poll(() => refused().length, PATIENCE).toBeGreaterThan(0);
    const beganAt = Date.now();
    await expect
      .poll(() => Date.now() - beganAt, { timeout: lastsMs + 5_000 })
      .toBeGreaterThanOrEqual(lastsMs);
    const endedAt = Date.now();
    await outage.end();
    await expect.poll(() => succeededSince(endedAt), PATIENCE).toBeGreaterThan(200);
    const backMs = Math.min(
      ...[...answers.values()].flatMap(({ at, tookMs, status }) =>
        status === 200 && at >= endedAt ? [at + tookMs - endedAt] : [],
      ),
    );
    isOver = true;
    await load;
    for (const gateway of gateways) await gateway.stop();

    expect([
      ...new Set(refused().map(({ status, body }) => `${status} ${/"code":"(\w+)"/.exec(body)?.[1]}`)),
    ]).toEqual(["503 database_unavailable"]);
    const longestMs = Math.max(...[...answers.values()].map(({ tookMs }) => tookMs));
    expect(longestMs).toBeLessThan(30_000);
    return {
      lastedMs: endedAt - beganAt,
      backMs,
      longestMs,
      asked: answers.size,
      refused: refused().length,
      broken: [...answers.values()].filter(({ whole }) => !whole).length,
      ...(await checkCharges(where, execute, answers, simulator)),
    };
  } finally {
    isOver = true;
    client.close();
    await Promise.all(gateways.map((gateway) => gateway.kill()));
  }
}

/** What the provider did is charged once, whatever its client was told, and nothing else is. */
async function checkCharges(
  { dialect, location }: Outage["store"],
  execute: Outage["execute"],
  answers: ReadonlyMap<string, Answer>,
  simulator: Simulator,
): Promise<{ charged: number; released: number }> {
  const store = await openers[dialect](location);
  try {
    expect(await store.money.recover(Date.now())).toEqual({ settled: 0, released: 0 });
    expect(await store.money.audit()).toEqual([]);
  } finally {
    await store.close();
  }
  const rows = await execute("SELECT id, status, cost, end_user AS mark FROM generations");
  const records = new Map(
    rows.map((row) => [String(row.mark), { ...row, cost: Number(row.cost) } as Record<string, unknown>]),
  );
  expect(records.size).toBe(rows.length);
  const asked = simulator.ledger.entries.map((entry) => ({
    mark: markOf(JSON.stringify(entry.request)),
    status: "succeeded",
    cost: costOf(entry),
  }));
  const marks = new Set(asked.map(({ mark }) => mark));
  expect(marks.size).toBe(asked.length);
  const charged = [...records].filter(([, { cost }]) => Number(cost) > 0);
  expect(charged.filter(([mark]) => !marks.has(mark))).toEqual([]);
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
  const spent = charged.reduce((sum, [, { cost }]) => sum + Number(cost), 0);
  const [account] = await execute("SELECT balance, held FROM accounts WHERE name = 'payer'");
  expect([Number(account?.balance), Number(account?.held)]).toEqual([BALANCE - spent, 0]);
  return { charged: charged.length, released };
}
