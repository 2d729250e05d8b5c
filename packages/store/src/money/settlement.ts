import { type RawBuilder, sql } from "kysely";
import { REVENUE } from "../accounts/accounts.ts";
import { type Column, integers, prepareEach, texts, type ValueOf } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { UNREAD } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import {
  assignmentsOf,
  COUNTED_COLUMNS,
  type CountedValues,
  IS_PENDING,
  type WrittenValues,
  writtenBy,
} from "../usage/generation-columns.ts";
import { servedBy } from "../usage/generation-filter.ts";
import { inWindows } from "./take-credit.ts";

// The statements of a settlement, for generations with their holds and for those drawn from a lease: the end of the
// record, the movement of its charge, and what its account and key pay. Each of these is written only here.

/** The work of a statement for each of the rows; returns the rows that these return. */
type Each<Given, Returned = unknown> = (rows: readonly Given[]) => Work<Returned[]>;

/** The values of an end, by the id of its generation. */
type EndRow = WrittenValues<"end"> & { id: string };
/** A generation as it was when it ended, with the model entry that served it. */
export type EndedGeneration = CountedValues & { id: string; entry: string | null };

const endsOf = <R>(
  engine: Engine,
  where: (value: ValueOf) => RawBuilder<unknown>,
  { columns = [], returning = sql`` }: { columns?: readonly Column[]; returning?: RawBuilder<unknown> } = {},
): Each<object, R> =>
  prepareEach<R>(
    engine,
    [...texts("id"), ...writtenBy("end"), ...columns],
    (value, from) => sql`UPDATE generations SET ${assignmentsOf("end", value)} ${from}
      WHERE generations.id = ${value("id")} ${where(value)} RETURNING generations.id AS id ${returning}`,
  );

/**
 * The work of writing the ends of pending generations; returns those that were written. The first of several ends of a
 * generation is written: the statement itself decides which one that is.
 */
export const prepareEnds = (engine: Engine): Each<EndRow, EndedGeneration> =>
  endsOf(engine, () => sql`AND ${IS_PENDING}`, {
    returning: sql`, ${COUNTED_COLUMNS}, ${servedBy(engine.dialect)} AS entry`,
  });

/** The same for those that were drawn from a lease; returns only ids, since their process has the rest. */
export const prepareLeaseEnds = (engine: Engine): Each<EndRow & { lease: string }, { id: string }> =>
  endsOf(engine, (value) => sql`AND ${IS_PENDING} AND generations.lease = ${value("lease")}`, {
    columns: texts("lease"),
  });

/** The work of replacing ends that recovery wrote; the caller has locked and judged them. */
export const prepareLateEnds = (engine: Engine): Each<EndRow> => endsOf(engine, () => sql``);

/** A charge, or the correction of one. */
export type ChargeMovement = Omit<Tables["transfers"], "kind"> & { kind: "charge" | "correction" };

/** The movement of a charge; without a generation, it charges all those of a batch. */
export const toCharge = (
  id: string,
  { account, cost, at }: { account: string; cost: number; at: number },
  generation: string | null,
): ChargeMovement => ({
  ...{ id, debit_account: account, credit_account: REVENUE, amount: cost, kind: "charge" },
  ...{ generation_id: generation, created_at: at },
});

/** The charge in place of those of archived records, which are removed together: a batch of them. */
export const toMergedCharge = (charges: readonly Tables["transfers"][]): ChargeMovement => {
  const [{ id, debit_account: account }] = charges as [Tables["transfers"]];
  const cost = charges.reduce((sum, { amount }) => sum + amount, 0);
  const at = charges.reduce((last, { created_at }) => Math.max(last, created_at), 0);
  return toCharge(`${MERGED}${id}`, { account, cost, at }, null);
};

/** The beginning of the ids of charges in place of others. */
export const MERGED = "batch:archive:";

/** A statement that adds such charges in place of those that meet a condition: one for each account and day. */
export const mergeCharges = (month: string, where: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`INSERT INTO transfers (${sql.join(MOVEMENT.map(([name]) => sql.ref(name)))})
    SELECT ${`${MERGED}${month}:`} || CAST(day AS TEXT) || ':' || debit_account, debit_account, ${REVENUE}, 'charge',
      NULL, SUM(amount), MAX(created_at)
    FROM (SELECT debit_account, amount, created_at, created_at / 86400000 AS day FROM transfers WHERE ${where}) AS days
    GROUP BY debit_account, day`;

const MOVEMENT: readonly Column[] = [
  ...texts("id", "debit_account", "credit_account", "kind", "generation_id"),
  ...integers("amount", "created_at"),
];

/** The work of adding movements to the ledger; fails if it has one of their ids. */
export const prepareCharges = (engine: Engine): Each<ChargeMovement> =>
  prepareEach(
    engine,
    MOVEMENT,
    (value, from) => sql`INSERT INTO transfers (${sql.join(MOVEMENT.map(([name]) => sql.ref(name)))})
      SELECT ${sql.join(MOVEMENT.map(([name]) => value(name)))} ${from}`,
    UNREAD,
  );

/** A payment of an account: the cost, and the hold to free. */
export interface Payment {
  account: string;
  cost: number;
  held: number;
}

/** The work of payments, of which no two may have the same account. Without `returning` nothing is read back. */
export const preparePayments = <R>(engine: Engine, returning?: RawBuilder<unknown>): Each<Payment, R> =>
  prepareEach<R>(
    engine,
    [...texts("account"), ...integers("cost", "held")],
    (value, from) => sql`UPDATE accounts SET balance = accounts.balance - ${value("cost")},
        held = accounts.held - ${value("held")} ${from}
      WHERE accounts.id = ${value("account")} ${returning ? sql`RETURNING ${returning}` : sql``}`,
    returning ? {} : UNREAD,
  );

/**
 * A payment in a key's windows, which are those of the request: one that runs past midnight counts for its first day.
 */
export interface Spending {
  key: string | null;
  daily: string;
  weekly: string;
  monthly: string;
  cost: number;
  held: number;
}

/** The work of payments in windows, of which no two may have the same key. Without a key nothing changes. */
export const prepareSpendings = <R>(engine: Engine, returning?: RawBuilder<unknown>): Each<Spending, R> =>
  prepareEach<R>(
    engine,
    [...texts("key", "daily", "weekly", "monthly"), ...integers("cost", "held")],
    (value, from) => sql`UPDATE key_spend SET spent = key_spend.spent + ${value("cost")},
        held = key_spend.held - ${value("held")} ${from}
      ${
        engine.dialect.supportsArrays
          ? sql`CROSS JOIN LATERAL (VALUES ('daily', ${value("daily")}), ('weekly', ${value("weekly")}),
              ('monthly', ${value("monthly")}), ('total', 'all')) AS w (name, period)
            WHERE key_spend.key_id = ${value("key")} AND key_spend.kind = w.name AND key_spend.win = w.period`
          : sql`WHERE key_id = ${value("key")} AND ${inWindows(value)}`
      } ${returning ? sql`RETURNING ${returning}` : sql``}`,
    returning ? {} : UNREAD,
  );
