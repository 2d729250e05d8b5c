import { createSimulator, type LedgerEntry, type Simulator } from "@manifold-gateway/simulator";
import Client from "better-sqlite3";
import { describe, type ExpectStatic, it } from "vitest";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { programOf } from "../../support/program.ts";
import { createClient, type Reply } from "./client.ts";
import { setting, storeOf } from "./places.ts";
import { type GatewayProcess, launchGateway } from "./process.ts";

/** After so many ms of silence a process is taken for dead; the service's own figure is 30,000. */
const SILENT_MS = setting("MONEY_SILENT_MS", 1_200);
/** For how long the process stands still at least. */
const STOP_MS = 1.5 * SILENT_MS;
const ASKED = 24;
const BALANCE = 1_000_000_000;
const KEY = "key-of-the-payer-0123456789abcdef";
const PRICE = { input: 1, output: 2 };
const PATH = "/api/chatstyle/v1/chat/completions";
const GATEWAY = await programOf("test/system/money/elsewhere.ts");

const MODELS = { relayed: "chatstyle", translated: "msgstyle" } as const;

/** The gateway that is stopped has a name of its own on a server, so that its transactions are known there. */
const SLOW = "slow";
function slowStoreOf(database: Database): string {
  if (database.dialect === "sqlite") return storeOf(database);
  const url = new URL(storeOf(database));
  url.searchParams.set("application_name", SLOW);
  return url.href;
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
});

const markOf = (index: number): string => `mark-${index}-`;

const isStream = (index: number): boolean => index % 4 !== 0;
const STREAMS = Array.from({ length: ASKED }, (_, index) => index).filter(isStream).length;

/** Streams that run for several times the time between two checkpoints, and whole answers that take as long. */
const bodyOf = (index: number): object => {
  const stream = isStream(index);
  const fault = stream ? "slow=60" : "delay=4000";
  return {
    model: Object.keys(MODELS)[index % 2],
    stream,
    max_tokens: 2_000,
    user: markOf(index),
    messages: [{ role: "user", content: `${markOf(index)} [[fault:${fault}]] ${"some words ".repeat(30)}` }],
  };
};

const truthOf = (simulator: Simulator, index: number): LedgerEntry[] =>
  simulator.ledger.entries.filter((entry) => JSON.stringify(entry.request).includes(`${markOf(index)} `));
const costOf = ({ usage }: LedgerEntry): number => usage.input * PRICE.input + usage.output * PRICE.output;

type Poll = (look: () => unknown) => ReturnType<ExpectStatic["poll"]>;
const count = async (database: Database, condition: string): Promise<number> => {
  const [row] = await database.execute(`SELECT count(*) AS n FROM generations WHERE ${condition}`);
  return Number(row?.n);
};

/** Stops a process outside of a commit: in one it would hold the others up, and nothing could be recovered. */
async function stopOutsideCommit(database: Database, gateway: GatewayProcess, poll: Poll): Promise<void> {
  for (;;) {
    gateway.signal("SIGSTOP");
    if (await isFree(database)) return;
    gateway.signal("SIGCONT");
    await poll(() => isFree(database)).toBe(true);
  }
}

/** No transaction is under way: on a server, none of the gateway that is to be stopped. */
async function isFree(database: Database): Promise<boolean> {
  if (database.dialect === "postgres") {
    // What was sent before a stop may yet have to arrive.
    await database.execute("SELECT pg_sleep(0.05)");
    const busy = await database.execute(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = '${SLOW}' AND state <> 'idle'`,
    );
    return busy.length === 0;
  }
  const client = new Client(database.location, { timeout: 200 });
  try {
    client.exec("BEGIN IMMEDIATE");
    client.exec("ROLLBACK");
    return true;
  } catch {
    return false;
  } finally {
    client.close();
  }
}

const DATABASES = [
  { name: "Postgres", make: makePostgres },
  { name: "SQLite", make: makeSqlite },
];
/** The long run takes both. */
const SOME = process.env.MONEY_SILENT_MS ? DATABASES : DATABASES.slice(0, 1);

// Most of it is waiting: for silence, and for answers that take long.
describe.concurrent.each(SOME)("a gateway on $name that stands still during answers", ({ make }) => {
  it("a paused gateway charges each answer once when it continues, though others took it for dead", {
    timeout: 60_000 + 3 * STOP_MS,
  }, async ({ expect }) => {
    const poll: Poll = (look) => expect.poll(look, { interval: 20, timeout: STOP_MS + 30_000 });
    const database = await make();
    const simulator = createSimulator({ ledgerSize: 10_000 });
    const { origin } = await simulator.listen();
    const client = createClient(2 * ASKED);
    const launched = [slowStoreOf(database), storeOf(database), storeOf(database)].map((store) =>
      launchGateway(configOf(store, origin), [GATEWAY, "--silent", String(SILENT_MS)]),
    );
    try {
      const gateways = await Promise.all(
        launched.map(async ({ listening, ...gateway }) => ({ ...gateway, origin: await listening })),
      );
      const [slow, ...others] = gateways as [GatewayProcess, GatewayProcess, GatewayProcess];
      const replies: Promise<Reply>[] = Array.from({ length: ASKED }, (_, index) =>
        client.post(slow.origin + PATH, KEY, bodyOf(index)),
      );
      // Each stream has just noted what it used, and has a while until it does so again.
      await poll(() => count(database, "checkpoint IS NOT NULL")).toBe(STREAMS);
      await stopOutsideCommit(database, slow, poll);
      const stopped = Date.now();
      expect(await count(database, "status = 'pending'")).toBeGreaterThan(0);
      const ended = await count(database, "status <> 'pending'");

      await poll(() => count(database, "status = 'pending'")).toBe(0);
      const recovered = await count(database, "status = 'failed'");
      expect(recovered).toBe(ASKED - ended);
      const more = others.map((one, at) =>
        client.post(one.origin + PATH, KEY, { ...bodyOf(ASKED + at), stream: false }),
      );
      expect((await Promise.all(more)).map(({ status }) => status)).toEqual([200, 200]);
      await poll(() => Date.now() - stopped).toBeGreaterThan(STOP_MS);
      slow.signal("SIGCONT");

      for (const { status, whole } of await Promise.all(replies))
        expect([status, whole]).toEqual([200, true]);
      await poll(() => slow.output().split("settled late").length - 1).toBe(recovered);
      const rows = await database.execute(
        "SELECT end_user AS mark, status, cost FROM generations WHERE end_user IS NOT NULL",
      );
      expect(rows.length).toBe(ASKED + 2);
      let spent = 0;
      for (let index = 0; index < rows.length; index++) {
        const row = rows.find(({ mark }) => mark === markOf(index))!;
        const truth = truthOf(simulator, index);
        expect(truth.length).toBe(1);
        const cost = costOf(truth[0]!);
        expect({ index, status: row.status, cost: Number(row.cost) }).toEqual({
          ...{ index, status: "succeeded", cost },
        });
        spent += cost;
      }
      const [account] = await database.execute("SELECT balance, held FROM accounts WHERE name = 'payer'");
      expect([Number(account!.balance), Number(account!.held)]).toEqual([BALANCE - spent, 0]);
      const [corrected] = await database.execute(
        "SELECT count(*) AS n FROM transfers WHERE kind = 'correction'",
      );
      expect(Number(corrected!.n)).toBeGreaterThan(0);
      const store = await database.open();
      expect(await store.money.audit()).toEqual([]);
      await store.close();
      if (process.env.MONEY_SILENT_MS)
        console.log(database.dialect, {
          stoppedMs: Date.now() - stopped,
          recovered,
          corrections: corrected!.n,
        });
    } finally {
      client.close();
      await Promise.all(launched.map((one) => one.kill()));
      await database.drop();
      await simulator.close();
    }
  });
});
