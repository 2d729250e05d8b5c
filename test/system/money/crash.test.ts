import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { createSimulator, type LedgerEntry, type Simulator } from "@manifold-gateway/simulator";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { listen } from "../../support/listen.ts";
import { createClient, inParallel, type Reply } from "./client.ts";
import { setting, storeOf, untilAlone } from "./places.ts";
import { CALLS, startGateways } from "./process.ts";

const KILLS = {
  sqlite: setting("MONEY_KILLS", 1),
  postgres: setting("MONEY_KILLS", 1),
};
const IN_FLIGHT = 24;
/** A kill comes at one of the first so many answers and pieces of answers, all requests taken together. */
const MOMENTS = 2_500;
const BALANCE = 1_000_000_000;
const KEY = "key-of-the-payer-0123456789abcdef";
const PRICE = { input: 1, output: 2 };
const PROTOCOLS: readonly UpstreamProtocol[] = ["chatstyle", "responses", "msgstyle", "genstyle"];
const SURFACES = ["/api/chatstyle/v1/chat/completions", "/api/msgstyle/v1/messages"] as const;

/** Each of these with each protocol behind it: forwarded as they are, and translated. */
const SHAPES = [
  { stream: false, text: "[[fault:delay=20]] once" },
  { stream: true, text: `[[fault:slow=2]] ${"some words ".repeat(10)}` },
  // Longer than the time between two checkpoints.
  { stream: true, text: `[[fault:slow=60]] ${"many words ".repeat(60)}` },
] as const;
const MARK = /mark-\d+-/;

/** What the database and the provider know of one request. */
interface Fate {
  id: string;
  status: string;
  cost: number;
  held: number;
  recovered: boolean;
  truth: LedgerEntry[];
}

let simulator: Simulator;
let origin: string;
beforeAll(async () => {
  simulator = createSimulator({ ledgerSize: 1_000_000 });
  ({ origin } = await simulator.listen());
});
afterAll(() => simulator?.close());

const costOf = ({ usage }: LedgerEntry): number => usage.input * PRICE.input + usage.output * PRICE.output;

const configOf = (database: Database): object => ({
  store: storeOf(database),
  providers: Object.fromEntries(
    PROTOCOLS.map((protocol) => [protocol, { protocol, origin, key: "secret-of-upstream" }]),
  ),
  models: Object.fromEntries(
    PROTOCOLS.map((protocol) => [
      protocol,
      { entries: [{ provider: protocol, name: `sim-${protocol}`, price: PRICE }] },
    ]),
  ),
  accounts: { payer: { balance: BALANCE / 1e6, keys: { only: KEY } } },
});

/** Asks from all sides until the process is killed, which is at the given moment; gives what clients saw. */
async function loadUntilKilled(
  database: Database,
  moment: number,
  marks: () => string,
): Promise<Map<string, Reply>> {
  const [gateway] = await startGateways(1, configOf(database));
  const client = createClient(IN_FLIGHT);
  const replies = new Map<string, Reply>();
  let left = moment;
  let killing: Promise<void> | undefined;
  const seen = (): void => {
    left -= 1;
    if (left <= 0) killing ??= gateway!.kill();
  };
  try {
    await inParallel(IN_FLIGHT, async (index) => {
      if (killing) return false;
      const mark = marks();
      const { stream, text } = SHAPES[index % SHAPES.length]!;
      const model = PROTOCOLS[Math.floor(index / SHAPES.length) % PROTOCOLS.length]!;
      const path = SURFACES[Math.floor(index / SHAPES.length / PROTOCOLS.length) % SURFACES.length]!;
      const body = {
        model,
        stream,
        max_tokens: 2_000,
        // The end user of each surface: records have it, whatever was lost of their requests.
        ...(path === SURFACES[0] ? { user: mark } : { metadata: { user_id: mark } }),
        messages: [{ role: "user", content: `${mark} ${text}` }],
      };
      const reply = await client.post(gateway!.origin + path, KEY, body, { seen });
      replies.set(mark, reply);
      if (reply.whole && reply.status !== 200)
        throw new Error(`${path} ${model}: ${reply.status} ${reply.body}\n${gateway!.output()}`);
      return true;
    });
  } finally {
    await (killing ?? gateway!.kill());
    client.close();
  }
  return replies;
}

/** Where each request with a mark ended. */
async function fatesOf(database: Database): Promise<Map<string, Fate>> {
  const truths = new Map<string, LedgerEntry[]>();
  for (const entry of simulator.ledger.entries) {
    const mark = markOf(JSON.stringify(entry.request));
    truths.set(mark, [...(truths.get(mark) ?? []), entry]);
  }
  const rows = await database.execute(
    "SELECT id, status, cost, usage, end_user AS mark, held + leased AS held FROM generations",
  );
  const fates = new Map<string, Fate>();
  for (const row of rows) {
    const mark = String(row.mark);
    expect(fates.has(mark), `${mark} has one record`).toBe(false);
    fates.set(mark, {
      id: String(row.id),
      status: String(row.status),
      cost: Number(row.cost),
      held: Number(row.held),
      recovered: String(row.usage).includes('"recovered":true'),
      truth: truths.get(mark) ?? [],
    });
  }
  return fates;
}

const markOf = (text: string): string => MARK.exec(text)?.[0] ?? "";

/** Nothing is lost, doubled or made up, whatever was cut short. */
function judge(fates: ReadonlyMap<string, Fate>, replies: ReadonlyMap<string, Reply>): void {
  const marks = simulator.ledger.entries.map((entry) => markOf(JSON.stringify(entry.request)));
  expect(marks.filter((mark) => !fates.has(mark))).toEqual([]);
  for (const [mark, { generation, status, whole }] of replies) {
    if (!whole && !fates.has(mark)) continue;
    const fate = fates.get(mark);
    if (status !== undefined) expect(fate?.id, mark).toBe(generation);
    if (whole) expect({ mark, status: fate?.status }).toEqual({ mark, status: "succeeded" });
  }
  for (const [mark, { status, cost, held, recovered, truth }] of fates) {
    expect(truth.length, `${mark} was sent once at most`).toBeLessThanOrEqual(1);
    const [entry] = truth;
    if (status === "succeeded") expect({ mark, cost }).toEqual({ mark, cost: entry && costOf(entry) });
    else {
      expect({ mark, status, recovered }).toEqual({ mark, status: "failed", recovered: true });
      // A checkpoint may be an estimate, so the hold bounds it and not what the provider counted.
      expect(cost, `${mark} costs no more than its hold`).toBeLessThanOrEqual(entry ? held : 0);
    }
  }
}

const kinds = [
  { dialect: "SQLite", make: makeSqlite },
  { dialect: "Postgres", make: makePostgres },
];

describe.each(kinds)("a gateway on $dialect that is killed", ({ make }) => {
  it("a gateway that is killed leaves books that add up", {
    timeout: 60_000 + 30_000 * Math.max(KILLS.sqlite, KILLS.postgres),
  }, async () => {
    const database = await make();
    simulator.reset();
    try {
      const kills = KILLS[database.dialect];
      const moments = fc.sample(fc.noBias(fc.integer({ min: 1, max: MOMENTS })), {
        numRuns: kills,
        seed: fc.readConfigureGlobal().seed ?? 1,
      });
      const replies = new Map<string, Reply>();
      let asked = 0;
      const marks = (): string => `mark-${asked++}-`;
      let recovered = { settled: 0, released: 0 };
      for (const moment of moments) {
        for (const [mark, reply] of await loadUntilKilled(database, moment, marks)) replies.set(mark, reply);
        await untilAlone(database);
        const store = await database.open({ calls: CALLS });
        try {
          const { settled, released } = await store.money.recover(Date.now());
          recovered = { settled: recovered.settled + settled, released: recovered.released + released };
          expect(await store.money.audit()).toEqual([]);
        } finally {
          await store.close();
        }
        const fates = await fatesOf(database);
        judge(fates, replies);
        const [account] = await database.execute("SELECT balance, held FROM accounts WHERE name = 'payer'");
        const spent = [...fates.values()].reduce((sum, { cost }) => sum + cost, 0);
        expect({ balance: Number(account!.balance), held: Number(account!.held) }).toEqual({
          balance: BALANCE - spent,
          held: 0,
        });
      }
      // The kills hit work: otherwise the above says nothing.
      expect(recovered.settled + recovered.released).toBeGreaterThan(0);
      if (process.env.MONEY_KILLS) console.log(database.dialect, { kills, asked, ...recovered });
    } finally {
      await database.drop();
    }
  });
});

it("events whose settlement was committed before a kill arrive once, when their receiver is back", async () => {
  const database = await makeSqlite();
  const seen: { id: string; taken: boolean }[] = [];
  let isUp = false;
  const receiver = await listen((request, response) => {
    seen.push({ id: String(request.headers["webhook-id"]), taken: isUp });
    request.resume();
    if (isUp) response.writeHead(204).end();
    else request.destroy();
  });
  const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const lows = [BALANCE / 1e6, BALANCE / 1e6 - 0.0001];
  const webhooks = lows.map((lowBalance) => ({
    ...{ name: `below-${lowBalance}`, url: receiver.origin, secret, lowBalance },
    events: ["account.balance_low"],
  }));
  const config = { ...configOf(database), webhooks };
  const client = createClient(1);
  try {
    const [killed] = await startGateways(1, config);
    const content = "many words ".repeat(300);
    const body = { model: "chatstyle", messages: [{ role: "user", content }] };
    const reply = await client.post(killed!.origin + SURFACES[0], KEY, body);
    await killed!.kill();
    expect(reply.status).toBe(200);
    const events = (await database.execute("SELECT id FROM outbox")).map(({ id }) => id).sort();
    expect(events).toHaveLength(lows.length);
    // What was tried before the kill is due at once, as if its wait were over.
    await database.execute("UPDATE deliveries SET next_at = 0");
    isUp = true;
    const [restarted] = await startGateways(1, config);
    const taken = () => seen.filter((one) => one.taken).map(({ id }) => id);
    await expect.poll(taken, { timeout: 30_000, interval: 20 }).toHaveLength(lows.length);
    await restarted!.stop();
    expect(taken().sort()).toEqual(events);
    expect(await database.execute("SELECT id FROM deliveries")).toEqual([]);
    for (const { id } of seen) expect(events).toContain(id);
  } finally {
    client.close();
    await receiver.close();
    await database.drop();
  }
}, 60_000);
