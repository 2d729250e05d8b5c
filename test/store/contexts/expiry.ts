import { setImmediate } from "node:timers/promises";
import type { Store } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import type { Database } from "../databases/database.ts";
import { makeCaller, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const OLD = 1_000;
const YOUNG = 3;

/** How each table's rows begin and expire: the columns of row `i` of an account, and what deletes the old ones. */
const TABLES: Record<
  string,
  {
    columns: string;
    row: (i: number, at: number, account: string) => string;
    expire: (store: Store) => unknown;
  }
> = {
  repeats: {
    columns: "account_id, route, name, body_hash, generation_id, state, answer, bytes, created_at",
    row: (i, at, account) => `'${account}', '/text', 'n${i}', 'h', 'g', 'done', 'a', 1, ${at}`,
    expire: (store) => store.repeats.expire(NOW),
  },
  issued_ids: {
    columns: "hash, account_id, created_at",
    row: (i, at, account) => `'h${i}', '${account}', ${at}`,
    expire: (store) => store.issuedIds.expire(NOW),
  },
  attempts: {
    columns: "subject, count, next_at, updated_at, kept_until",
    row: (i, at) => `'s${i}', 1, 0, 0, ${at}`,
    expire: (store) => store.attempts.expire(NOW),
  },
  ended_sessions: {
    columns: "hash, until",
    row: (i, at) => `'h${i}', ${at}`,
    expire: (store) => store.endedSessions.expire(NOW),
  },
  audit_log: {
    columns: "id, created_at, actor, action",
    row: (i, at) => `'a${i}', ${at}, 'operator', 'sign-in_refused'`,
    expire: (store) => store.auditLog.expire(NOW),
  },
  outbox: {
    columns: "id, type, data, created_at, is_open",
    row: (i, at) => `'e${i}', 'balance.low', '{}', ${at}, 0`,
    expire: (store) => store.outbox.expire({ events: NOW, deliveries: NOW }),
  },
  deliveries: {
    columns: "id, event_id, endpoint, tries, next_at, created_at",
    row: (i, at) => `'d${i}', 'e', 'p', 0, 0, ${at}`,
    expire: (store) => store.outbox.expire({ events: NOW, deliveries: NOW }),
  },
};

/** How many rows of a table each transaction deletes while work goes on. */
const watched = (database: Database, table: string, work: () => unknown): Promise<number[]> =>
  database.dialect === "postgres" ? noted(database, table, work) : counted(database, table, work);

/** Postgres tells by itself, however fast it is. */
async function noted(database: Database, table: string, work: () => unknown): Promise<number[]> {
  await database.execute(`
    CREATE TABLE steps (step xid8, rows bigint);
    CREATE FUNCTION note_step() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO steps SELECT pg_current_xact_id(), count(*) FROM gone; RETURN NULL; END $$;
    CREATE TRIGGER noting AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION note_step()`);
  await work();
  const steps = await database.execute("SELECT sum(rows) AS n FROM steps GROUP BY step");
  await database.execute("DROP FUNCTION note_step CASCADE; DROP TABLE steps");
  return steps.map(({ n }) => Number(n)).filter((n) => n > 0);
}

/** SQLite works in turns on one thread: what a count finds between two of them is what one step left. */
async function counted(database: Database, table: string, work: () => unknown): Promise<number[]> {
  const count = async () => Number((await database.execute(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
  const counts = [await count()];
  let isDone = false;
  const worked = Promise.resolve(work()).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    counts.push(await count());
    await setImmediate();
  }
  await worked;
  counts.push(await count());
  return counts.slice(1).map((n, at) => (counts[at] as number) - n);
}

export const expiry: Context = (database) => {
  const store = useStore(database);
  const count = async (table: string) =>
    Number((await database().execute(`SELECT count(*) AS n FROM ${table}`))[0]?.n);

  it.each(Object.entries(TABLES))(
    "expired rows of %s are deleted in steps, each a transaction of its own",
    async (table, { columns, row, expire }) => {
      const { accountId } = await makeCaller(store());
      const before = await count(table);
      const rows = Array.from(
        { length: OLD + YOUNG },
        (_, i) => `(${row(i, NOW - (i < OLD ? 1 : 0), accountId)})`,
      );
      await database().execute(`INSERT INTO ${table} (${columns}) VALUES ${rows.join(", ")}`);
      if (table === "repeats")
        await database().execute(`UPDATE accounts SET kept_bytes = ${OLD + YOUNG} WHERE id = '${accountId}'`);
      const steps = await watched(database(), table, () => expire(store()));
      expect(await count(table)).toBe(before + YOUNG);
      expect(steps.reduce((sum, step) => sum + step, 0)).toBe(OLD);
      expect(Math.max(...steps)).toBeLessThan(OLD);
      const kept = await database().execute(`SELECT kept_bytes AS n FROM accounts WHERE id = '${accountId}'`);
      expect(Number(kept[0]?.n)).toBe(table === "repeats" ? YOUNG : 0);
    },
  );
};
