import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectDatabase, openPostgres, type Store, StoreUnsuitable } from "@manifold-gateway/store";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freePort } from "../../system/cluster/balancer.ts";
import { makeCaller, makeReservation } from "../fixtures.ts";

/** PgBouncer: that of the environment, or the system's. */
const PROGRAM = process.env.PGBOUNCER ?? "/usr/sbin/pgbouncer";
const [, version] =
  /PgBouncer (\d+\.\d+)/.exec(spawnSync(PROGRAM, ["--version"], { encoding: "utf8" }).stdout ?? "") ?? [];
const knowsNames = Number(version?.split(".")[1]) >= 21;

/** A user that is not root, which PgBouncer refuses to be. */
const NOBODY = 65_534;

interface Pooler {
  url: string;
  stop(): Promise<void>;
}

/** A pooler before a database of its own. */
async function startPooler(mode: string, settings: string[] = []): Promise<Pooler> {
  const server = await (await fetch(inject("postgres"))).text();
  const name = `pooled_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const { hostname, port, username, password } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), "manifold-pooler-"));
  chmodSync(folder, 0o755);
  const own = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    [
      `[databases]\n* = host=${hostname} port=${port} user=${username} password=${password}`,
      `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = any`,
      `pool_mode = ${mode}\ndefault_pool_size = 4`,
      ...settings,
    ].join("\n"),
  );
  const child = spawn(PROGRAM, [file], {
    stdio: "ignore",
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
  });
  const url = `postgres://${username}@127.0.0.1:${own}/${name}`;
  const answers = () =>
    inspectDatabase(url).then(
      () => true,
      () => child.exitCode !== null,
    );
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    url,
    async stop() {
      child.kill("SIGINT");
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const reason = version === undefined ? "(there is no pgbouncer)" : "";

describe.skipIf(reason !== "")(`a store behind a pooler ${reason}`, () => {
  // In turn, a client gets the connection again that it had before, and not the one that was used last.
  describe.each([
    ["in transaction mode", []],
    ["in transaction mode, with connections in turn", ["server_round_robin = 1"]],
  ])("%s", (_, settings) => {
    let pooler: Pooler;
    let stores: Store[];
    const log: string[] = [];
    beforeAll(async () => {
      pooler = await startPooler("transaction", [
        ...settings,
        ...(knowsNames ? ["max_prepared_statements = 100"] : []),
      ]);
      const open = () =>
        openPostgres({ url: pooler.url, busy: 2, log: { warn: (_, message) => void log.push(message) } });
      stores = await Promise.all([open(), open()]);
    });
    afterAll(async () => {
      for (const store of stores ?? []) await store.close();
      await pooler?.stop();
    });

    it("the pooler is noticed, and whether it knows the names of statements", async () => {
      const found = await inspectDatabase(pooler.url);
      expect(found).toMatchObject({ pending: 0, access: { isPooled: true, keepsNames: knowsNames } });
      expect(found.refusal).toBeUndefined();
      expect(log.includes("the pooler forgets prepared statements")).toBe(!knowsNames);
    });

    it("more requests than the pooler has connections are charged once each, from leases and without", async () => {
      const callers = await Promise.all(
        Array.from({ length: 12 }, () => makeCaller(stores[0]!, { credit: 1_000 })),
      );
      const request = async (store: Store, caller: (typeof callers)[number]) => {
        const reservation = makeReservation(caller, 2);
        const { id, accountId } = reservation.generation;
        expect(await store.money.reserve(reservation)).toEqual({ ok: true });
        await store.money.settle({ id, accountId, status: "succeeded", cost: 1 });
      };
      const busy = callers[0]!;
      const work = Array.from({ length: 40 }, (_, at) => [
        request(stores[at % 2]!, busy),
        request(stores[at % 2]!, callers[1 + (at % 11)]!),
      ]);
      await Promise.all(work.flat());
      for (const store of stores) for (const { accountId } of callers) await store.money.recall(accountId);
      expect(await stores[1]!.accounts.get(busy.accountId)).toMatchObject({ balance: 960, held: 0 });
      const page = { offset: 0, limit: 100 };
      expect((await stores[1]!.generations.list({ accountId: busy.accountId }, page)).total).toBe(40);
      expect(await stores[0]!.money.audit()).toEqual([]);
    });
  });

  it("a pooler that allows no transactions is refused, with the mode that is wanted", async () => {
    const pooler = await startPooler("statement");
    const opened = await openPostgres({ url: pooler.url }).catch((error: unknown) => error);
    expect(opened).toBeInstanceOf(StoreUnsuitable);
    expect((opened as Error).message).toMatch(/pool_mode has to be transaction or session/);
    await pooler.stop();
  });
});
