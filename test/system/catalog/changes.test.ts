import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { setting, storeOf } from "../money/places.ts";
import { type GatewayProcess, startGateways } from "../money/process.ts";
import { createLoad, type Outcome } from "./load.ts";

/** Requests a second, and the time between two changes: with one, each has to be in force within a second. */
const RATE = setting("CATALOG_RATE", 40);
const PAUSE_MS = setting("CATALOG_PAUSE_MS", 0);
const KEY = "key-of-the-payer-0123456789abcdef";
const ADMIN = "admin-key-0123456789-0123456789abcdef";
const CREDENTIAL = "credential-of-a-vendor-0123456789";

const simulators: Record<"a" | "b", Simulator> = {
  a: createSimulator({ ledgerSize: 1_000_000 }),
  b: createSimulator({ ledgerSize: 1_000_000 }),
};
const origins = { a: "", b: "" };
beforeAll(async () => {
  for (const name of ["a", "b"] as const) origins[name] = (await simulators[name].listen()).origin;
});
afterAll(() => Promise.all(Object.values(simulators).map((one) => one.close())));

/** A price per request shows in the charge of each which price it had. */
const entry = (provider: string, usd: number, more: object = {}) => ({
  ...{ provider, name: `sim-${provider}`, price: { requests: usd } },
  ...more,
});
const provider = (name: string, at: "a" | "b") => ({
  section: "providers",
  name,
  value: { protocol: "chatstyle", origin: origins[at], key: CREDENTIAL },
});
const model = (name: string, entries: object[], more: object = {}) => ({
  section: "models",
  name,
  value: { ...more, entries },
});

/** What each model's requests show before any change: the charge in micro-USD, and the provider's address. */
const FIRST = { filed: "1000 a", priced: "10000 a", moved: "11000 a", named: "12000 a", routed: "13000 a" };
type Model = keyof typeof FIRST | "stopped";

const declared = () => [
  ...["one", "two", "three"].map((name) => provider(name, "a")),
  model("priced", [entry("one", 0.01)]),
  model("moved", [entry("two", 0.011)]),
  model("left", [entry("one", 0.012)], { aliases: ["named"] }),
  model("right", [entry("one", 0.022)]),
  model("routed", [entry("three", 0.013), entry("one", 0.023, { priority: 2 })]),
  model("stopped", [entry("one", 0.014)]),
];

interface Change {
  does: string;
  /** What is declared; absent: the change before is undone. */
  changes?: () => object[];
  /** What requests to a model show afterwards. */
  shows: readonly [Model, string];
}

const CHANGES: readonly Change[] = [
  {
    does: "another price",
    changes: () => [model("priced", [entry("one", 0.02)])],
    shows: ["priced", "20000 a"],
  },
  { does: "another address", changes: () => [provider("two", "b")], shows: ["moved", "11000 b"] },
  {
    does: "an alias of another model",
    changes: () => [
      model("left", [entry("one", 0.012)]),
      model("right", [entry("one", 0.022)], { aliases: ["named"] }),
    ],
    shows: ["named", "22000 a"],
  },
  {
    does: "a model that is paused",
    changes: () => [model("stopped", [entry("one", 0.014)], { active: false })],
    shows: ["stopped", "refused"],
  },
  { does: "the pause undone", shows: ["stopped", "14000 a"] },
  {
    does: "a model that is removed",
    changes: () => [{ section: "models", name: "stopped" }],
    shows: ["stopped", "refused"],
  },
  { does: "the removal undone", shows: ["stopped", "14000 a"] },
  {
    does: "another order of entries",
    changes: () => [model("routed", [entry("three", 0.013, { priority: 2 }), entry("one", 0.023)])],
    shows: ["routed", "23000 a"],
  },
  { does: "the order undone", shows: ["routed", "13000 a"] },
  {
    does: "a provider that is removed",
    changes: () => [{ section: "providers", name: "three" }],
    shows: ["routed", "23000 a"],
  },
  { does: "its removal undone", shows: ["routed", "13000 a"] },
  {
    does: "a third price",
    changes: () => [model("priced", [entry("one", 0.05)])],
    shows: ["priced", "50000 a"],
  },
];

/** What the requests of a model show, and when: from the request of the change until the next one is in force. */
interface Version {
  model: string;
  shows: string;
  from: number;
  until: number;
}

async function send(origin: string, path: string, body?: object) {
  const response = await fetch(`${origin}/api/admin${path}`, {
    method: body ? "POST" : "GET",
    headers: { "x-admin-key": ADMIN, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of them.
  const answer = (await response.json()) as any;
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

/** The charges of all generations, in micro-USD. */
async function chargesOf(database: Database): Promise<Map<string, number>> {
  const rows = await database.execute("SELECT id, cost FROM generations");
  return new Map(rows.map(({ id, cost }) => [String(id), Number(cost)]));
}

const MARK = /mark-\d+-/;
/** The address at which each request arrived, as far as the ledgers were read. */
const places = new Map<string, string>();
const readOf = { a: 0, b: 0 };

/** The provider's address at which a request arrived. */
function placeOf(mark: string): string | undefined {
  for (const name of ["a", "b"] as const) {
    const { entries } = simulators[name].ledger;
    for (const { request } of entries.slice(readOf[name]))
      places.set(MARK.exec(JSON.stringify(request))?.[0] ?? "", name);
    readOf[name] = entries.length;
  }
  return places.get(mark);
}

/** All rows of all tables as a text. */
async function dumpOf(database: Database): Promise<string> {
  const tables = await database.execute(
    database.dialect === "sqlite"
      ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  );
  const rows: object[] = [];
  for (const { name } of tables) rows.push(...(await database.execute(`SELECT * FROM ${name}`)));
  return JSON.stringify(rows);
}

const DATABASES = [
  { name: "Postgres", make: makePostgres },
  { name: "SQLite", make: makeSqlite },
];
/** Processes learn of a change by the same statements on both: the long run takes both. */
const SOME = process.env.CATALOG_RATE ? DATABASES : DATABASES.slice(0, 1);

describe.each(SOME)("a catalog on $name that changes under the load of two processes", ({ make }) => {
  let database: Database;
  let gateways: GatewayProcess[] = [];
  beforeAll(async () => {
    database = await make();
    gateways = await startGateways(2, {
      server: { port: 0, warmUp: 0, log: "warn", adminKey: ADMIN },
      keyEncryptionSecrets: ["5".repeat(64)],
      store: storeOf(database),
      providers: { filed: { protocol: "chatstyle", origin: origins.a, key: "k" } },
      models: { filed: { entries: [entry("filed", 0.001)] } },
      accounts: { payer: { balance: 1_000_000, keys: { only: KEY } } },
    });
  });
  afterAll(async () => {
    await Promise.all(gateways.map((one) => one.stop()));
    await database.drop();
  });

  it("fails no request, serves each change everywhere, and charges each request what was in force", async () => {
    const [first, second] = gateways.map(({ origin }) => origin) as [string, string];
    await send(first, "/declarations", { changes: declared() });
    const load = createLoad([first, second], KEY);
    const versions: Version[] = Object.entries(FIRST).map(([model, shows]) => ({
      ...{ model, shows, from: 0, until: Number.POSITIVE_INFINITY },
    }));
    const shownBy = async (origin: string, model: string): Promise<string> => {
      const { status, generation, mark } = await load.ask(origin, model);
      if (status !== 200) return "refused";
      return `${(await chargesOf(database)).get(generation ?? "")} ${placeOf(mark)}`;
    };
    const untilShown = (model: string, shows: string) =>
      Promise.all(
        [first, second].map((origin) =>
          expect.poll(() => shownBy(origin, model), { timeout: 20_000, interval: 20 }).toBe(shows),
        ),
      );
    for (const [name, shows] of Object.entries(FIRST)) await untilShown(name, shows);
    load.start(RATE, Object.keys(FIRST));
    const took: number[] = [];
    let last: number[] = [];
    for (const [at, { changes, shows }] of CHANGES.entries()) {
      const from = Date.now();
      const [path, body] = changes ? ["", { changes: changes() }] : ["/undo", { revisions: last }];
      const origin = at % 2 === 0 ? first : second;
      const made = await send(origin, `/declarations${path}`, { ...body, confirm: true });
      last = made.revisions;
      await untilShown(...shows);
      const until = Date.now();
      took.push(until - from);
      for (const one of versions) if (one.model === shows[0] && one.until > until) one.until = until;
      versions.push({ model: shows[0], shows: shows[1], from, until: Number.POSITIVE_INFINITY });
      await new Promise((later) => setTimeout(later, PAUSE_MS));
    }
    const outcomes = await load.stop();
    // Charges are written behind the answers.
    await expect.poll(async () => (await send(first, "/audit")).differences, { timeout: 60_000 }).toEqual([]);
    const charges = await chargesOf(database);
    const faults = outcomes.flatMap((one) => faultOf(one, versions, charges));
    expect(faults).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(50);
    if (PAUSE_MS > 0) {
      console.info(`${outcomes.length} requests at ${RATE}/s; ms until a change was in force: ${took}`);
      expect(Math.max(...took)).toBeLessThan(1_000);
    }
    for (const { output } of gateways) expect(output()).not.toMatch(/"level":"(error|fatal)"|defect/);
  }, 600_000);

  it("has no credential in clear in its database", async () => {
    const dump = await dumpOf(database);
    expect(dump).not.toContain(CREDENTIAL);
    expect(dump).toContain("sealed ");
  });
});

/** What is wrong with a request: it failed, or it shows what was in force neither when it began nor when it ended. */
function faultOf(
  { model, mark, sent, ended, status, generation, body }: Outcome,
  versions: readonly Version[],
  charges: ReadonlyMap<string, number>,
): string[] {
  if (status !== 200) return [`${model}: status ${status}: ${body}`];
  const shown = `${charges.get(generation ?? "")} ${placeOf(mark)}`;
  const allowed = versions
    .filter((one) => one.model === model && one.from <= ended && sent <= one.until)
    .map(({ shows }) => shows);
  return allowed.includes(shown) ? [] : [`${model}: ${shown}, and in force was ${allowed.join(" or ")}`];
}
