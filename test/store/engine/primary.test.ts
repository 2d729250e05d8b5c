import { inspectDatabase, openPostgres, StoreUnavailable, StoreUnsuitable } from "@manifold-gateway/store";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine, Work } from "../../../packages/store/src/engine/engine.ts";
import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import type { Database } from "../databases/database.ts";
import { makePostgres } from "../databases/postgres.ts";
import { type OwnServer, startServer } from "../databases/server.ts";

/** The server with functions of ours in front of its own, so that it says what another server would. */
function locationOf(database: Database, ...settings: string[]): string {
  const url = new URL(database.location);
  const options = [`${url.searchParams.get("options")},pg_catalog`, ...settings.map((one) => `-c ${one}`)];
  url.searchParams.set("options", options.join(" "));
  return url.href;
}

const replace = (database: Database, head: string, returns: string, body: string) =>
  database.execute(`CREATE OR REPLACE FUNCTION ${head} RETURNS ${returns} LANGUAGE sql AS $$ ${body} $$`);

describe("an address that a store cannot be opened on", () => {
  it.each<[string, RegExp, (database: Database) => Promise<string>]>([
    [
      "leads to a replica",
      /it is a replica, .*; name the primary/,
      async (database) => {
        await replace(database, "pg_is_in_recovery()", "boolean", "SELECT true");
        return locationOf(database);
      },
    ],
    [
      "takes no writes",
      /default_transaction_read_only is on; name the primary/,
      async (database) => locationOf(database, "default_transaction_read_only=on"),
    ],
    [
      "has a clock that is off",
      /its clock is (359\d|360\d) s ahead of this machine's, .*set-ntp/,
      async (database) => {
        const later = "SELECT pg_catalog.clock_timestamp() + interval '1 hour'";
        await replace(database, "clock_timestamp()", "timestamptz", later);
        return locationOf(database);
      },
    ],
  ])(
    "one that %s is refused by a start and by a look, with what is wanted, and left as it is",
    async (_, refusal, make) => {
      const database = await makePostgres();
      const url = await make(database);
      const opened = await openPostgres({ url }).catch((error: unknown) => error);
      expect(opened).toBeInstanceOf(StoreUnsuitable);
      expect((opened as Error).message).toMatch(refusal);
      expect((await inspectDatabase(url)).refusal).toMatch(refusal);
      expect(await database.execute("SELECT to_regclass('migrations') AS made")).toEqual([{ made: null }]);
      await database.drop();
    },
  );
});

describe("connections to a server that is no longer the primary", () => {
  let database: Database;
  let engine: Engine;
  const promote = (timeline: number) => database.execute(`UPDATE timeline SET value = ${timeline}`);
  const end = () =>
    database.execute(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
        AND application_name = current_setting('application_name')`,
    );
  const backend = function* (): Work<number> {
    const [row] = yield { sql: "SELECT pg_backend_pid() AS pid, pg_sleep(0.05)", parameters: [] };
    return (row as { pid: number }).pid;
  };
  beforeAll(async () => {
    database = await makePostgres();
    await database.execute("CREATE TABLE timeline (value INTEGER)");
    await database.execute("INSERT INTO timeline VALUES (5)");
    const file = "SELECT lpad(to_hex(value), 8, '0') || lpad('1', 16, '0') FROM timeline";
    await replace(database, "pg_walfile_name(pg_lsn)", "text", file);
    engine = createPostgresEngine({ url: locationOf(database), connections: 2 });
  });
  afterAll(async () => {
    await engine.close();
    await database.drop();
  });

  it("a former primary, which has a lower timeline than one seen before, gets no work", async () => {
    await engine.write(backend);
    await promote(4);
    await end();
    const refused = await engine.write(backend).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect((refused as Error).message).toContain(
      "a former primary: its timeline is 4, and the primary's is 5",
    );
    await promote(5);
    await expect(engine.write(backend)).resolves.toBeGreaterThan(0);
  });

  it("connections from before a promotion are replaced once another leads to the new primary", async () => {
    const former = await engine.write(backend);
    await promote(6);
    const both = await Promise.all([engine.write(backend), engine.write(backend)]);
    expect(both).toContain(former);
    const later = await Promise.all([engine.write(backend), engine.write(backend)]);
    expect(later).not.toContain(former);
  });

  it("a connection that takes no writes any more is replaced, with all others", async () => {
    const former = await Promise.all([engine.write(backend), engine.write(backend)]);
    let isFirst = true;
    const pid = await engine.write(function* () {
      if (isFirst) {
        isFirst = false;
        yield { sql: "SET TRANSACTION READ ONLY", parameters: [] };
      }
      yield { sql: "UPDATE timeline SET value = value", parameters: [] };
      return yield* backend();
    });
    expect(former).not.toContain(pid);
  });
});

describe("a server that waits for a replica", () => {
  let server: OwnServer;
  let admin: pg.Client;
  let probe: pg.Client;
  let engine: Engine;
  const configure = async (replicas: string) => {
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${replicas}'`);
    await admin.query("SELECT pg_reload_conf()");
    // Another process of the server puts it in force later.
    if (replicas !== "") while (!(await doesWait()));
  };
  /** The transactions that wait for a replica. */
  const waiting = async (): Promise<{ pid: number; xid: string }[]> =>
    (
      await admin.query(
        "SELECT pid, backend_xid::text AS xid FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      )
    ).rows;
  /** True if a commit waits for a replica; its wait is cancelled. */
  const doesWait = async (): Promise<boolean> => {
    let isOver = false;
    const written = probe.query("INSERT INTO probes VALUES (1)").then(() => {
      isOver = true;
    });
    let held: { pid: number } | undefined;
    while (!isOver && !held) [held] = await waiting();
    if (held) await admin.query(`SELECT pg_cancel_backend(${held.pid})`);
    await written;
    return held !== undefined;
  };
  beforeAll(async () => {
    server = await startServer({ isDurable: true });
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query("CREATE TABLE done (id INTEGER PRIMARY KEY)");
    await admin.query("CREATE TABLE probes (id INTEGER)");
    probe = new pg.Client({ connectionString: server.url });
    await probe.connect();
    engine = createPostgresEngine({ url: server.url, connections: 2 });
  }, 60_000);
  afterAll(async () => {
    await engine?.close();
    await admin?.end();
    await probe?.end();
    await server?.stop();
  });

  it("a commit whose wait is cancelled counts only once a later one has been waited for", async () => {
    await configure("nobody");
    let isDone = false;
    const written = engine
      .write(function* () {
        // What a second time finds done writes nothing, and its commit alone would wait for nothing.
        yield { sql: "INSERT INTO done VALUES (1) ON CONFLICT DO NOTHING", parameters: [] };
      })
      .then(() => {
        isDone = true;
      });
    await expect.poll(waiting).toHaveLength(1);
    const [{ pid, xid }] = (await waiting()) as [{ pid: number; xid: string }];
    await admin.query(`SELECT pg_cancel_backend(${pid})`);
    await expect
      .poll(async () => (await waiting()).map((one) => one.xid).filter((one) => one !== xid))
      .toHaveLength(1);
    expect(isDone).toBe(false);
    expect((await admin.query("SELECT * FROM done")).rows).toEqual([{ id: 1 }]);
    await configure("");
    await written;
    await configure("nobody");
    await engine.write(function* () {
      yield { sql: "INSERT INTO done VALUES (1) ON CONFLICT DO NOTHING", parameters: [] };
    });
    await configure("");
  });
});
