import { sql } from "kysely";
import { type Engine, Undo, type Work } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { inWindows, prepareHoldStatements } from "../money/take-credit.ts";
import { CAPS, type Caps, toCaps } from "../pricing/caps.ts";
import { headroomOf, type LeaseRow } from "./commit.ts";

/** The account, key and day of a lease. */
export type LeaseKey = Pick<LeaseRow, "account" | "key" | "daily" | "weekly" | "monthly">;

export interface Opened {
  row: LeaseRow;
  /** The smallest remainder among the balance and the caps. */
  headroom: number;
}

/**
 * The work of opening a lease, if `plan` finds one worth its cost for the credit that is left. All of it must fit the
 * balance and every cap, like a hold under the policy `strict`.
 */
export function prepareOpen({ db }: Engine, owner: string) {
  const stored = prepare<{ id: string }, { amount: number }>(
    db,
    sql`SELECT amount FROM leases WHERE id = ${param("id")}`,
  );
  const account = prepare<LeaseKey, Pick<Tables["accounts"], "balance" | "held" | "recall">>(
    db,
    sql`SELECT balance, held, recall FROM accounts WHERE id = ${param("account")} AND active = 1`,
  );
  const key = prepare<LeaseKey, Tables["api_keys"]>(
    db,
    sql`SELECT * FROM api_keys WHERE id = ${param("key")} AND account_id = ${param("account")} AND active = 1`,
  );
  const windows = prepare<LeaseKey, { kind: string; spent: number; held: number }>(
    db,
    sql`SELECT kind, spent, held FROM key_spend WHERE key_id = ${param("key")} AND ${inWindows(param)}`,
  );
  const add = prepare<object>(
    db,
    sql`INSERT INTO leases (id, owner, account_id, key_id, daily, weekly, monthly, amount, step, ending,
        key_revision, recall, created_at)
      VALUES (${param("id")}, ${param("owner")}, ${param("account")}, ${param("key")}, ${param("daily")},
        ${param("weekly")}, ${param("monthly")}, ${param("amount")}, 0, 0, ${param("revision")}, ${param("recall")},
        ${param("at")})`,
  );
  const { hold, open } = prepareHoldStatements(db);

  return function* (
    id: string,
    leaseKey: LeaseKey,
    at: number,
    plan: (headroom: number, recall: number) => number | undefined,
  ): Work<Opened | undefined | Undo<undefined>> {
    const found = yield* first(account(leaseKey));
    const keyRow = leaseKey.key === null ? undefined : yield* first(key(leaseKey));
    if (!found || (leaseKey.key !== null && !keyRow)) return undefined;
    const caps: Caps = keyRow ? toCaps(keyRow) : {};
    const used = keyRow ? yield* windows(leaseKey) : [];
    const headroom = headroomOf(found, used, caps);
    const row = { ...leaseKey, id, owner, caps, step: 0 };
    // An earlier try opened it, and its answer was lost.
    const same = yield* first(stored({ id }));
    if (same) return { row: { ...row, ...same }, headroom };
    const { recall } = found;
    const amount = plan(headroom, recall);
    if (amount === undefined) return undefined;
    const need = Math.max(1, amount);
    if (!(yield* first(hold({ account: leaseKey.account, amount, need })))) return undefined;
    const all = { ...leaseKey, total: "all", amount, need };
    if (keyRow && (yield* open({ ...all, key: keyRow.id })).length < CAPS.length) return new Undo(undefined);
    yield* add({ ...row, amount, recall, revision: keyRow?.revision ?? 0, at });
    return { row: { ...row, amount }, headroom: headroom - amount };
  };
}
