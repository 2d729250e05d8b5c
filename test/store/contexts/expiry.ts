import { setImmediate } from "node:timers/promises";
import type { Store } from "@manifold-gateway/store";
import { expect, it } from "vitest";
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

export const expiry: Context = (database) => {
  const store = useStore(database);
  const count = async (table: string) =>
    Number((await database().execute(`SELECT count(*) AS n FROM ${table}`))[0]?.n);

  it.each(Object.entries(TABLES))(
    "expired rows of %s are deleted in steps, between which other work sees fewer and fewer",
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
      let isDone = false;
      const expired = Promise.resolve(expire(store())).finally(() => {
        isDone = true;
      });
      const counts = new Set<number>();
      while (!isDone) {
        counts.add(await count(table));
        await setImmediate();
      }
      await expired;
      expect(await count(table)).toBe(before + YOUNG);
      expect([...counts].filter((n) => n > before + YOUNG && n < before + OLD + YOUNG)).not.toEqual([]);
      const kept = await database().execute(`SELECT kept_bytes AS n FROM accounts WHERE id = '${accountId}'`);
      expect(Number(kept[0]?.n)).toBe(table === "repeats" ? YOUNG : 0);
    },
  );
};
