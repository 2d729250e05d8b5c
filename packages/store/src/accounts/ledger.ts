import { type RawBuilder, sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { first, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";

/** One movement of credit. Amounts are micro-USD, times are ms. */
export interface Movement {
  /** The reference, which makes it unique: that of the credit, or `charge:<generation>` and the like. */
  id: string;
  /** `topup` and `writeoff` are credit; the others belong to a generation. */
  kind: Tables["transfers"]["kind"];
  /** The change of the balance: positive for credit, negative for a charge; a correction may be either. */
  amount: number;
  /** The generation that it is of; absent for credit, and for a charge of several generations at once. */
  generationId?: string;
  /** When it was made. */
  createdAt: number;
}

/** Sums over all accounts, in micro-USD, and the number of generation records. */
export interface Totals {
  credited: number;
  /** Charges, with their corrections. */
  charged: number;
  refunded: number;
  /** The sum of all balances: `credited` minus `charged` plus `refunded`. */
  balances: number;
  /** The part of the balances that is held. */
  held: number;
  records: number;
}

/** Sums over the movements of one day in UTC, of all accounts, in micro-USD. */
export interface BookedDay extends Pick<Totals, "credited" | "charged" | "refunded"> {
  /** The beginning of the day. */
  at: number;
}

/** The movements of credit; an account's balance is their sum. */
export interface Ledger {
  /** Lists the account's movements, newest first, with their total number. */
  list(
    accountId: string,
    page: { offset: number; limit: number },
  ): Promise<{ results: Movement[]; total: number }>;
  /** The movements of one generation of the account, oldest first. */
  of(generation: { id: string; accountId: string }): Promise<Movement[]>;
  /** Computes the totals. It reads every movement, so it is too slow for each request. */
  totals(): Promise<Totals>;
  /** The days since `from` with movements, newest first. It reads every movement: too slow for each request. */
  days(from: number): Promise<BookedDay[]>;
  /** The account's movement of this id. */
  get(ref: { id: string; accountId: string }): Promise<Movement | undefined>;
}

const DAY = 86_400_000;

const sumOf = (amount: RawBuilder<unknown>) => sql<number>`CAST(COALESCE(SUM(${amount}), 0) AS BIGINT)`;

/** The sums of credit, charges and refunds over movements. */
const MOVED = [
  sumOf(sql`CASE WHEN debit_account = 'house' THEN amount ELSE 0 END`).as("credited"),
  sumOf(
    sql`CASE WHEN kind NOT IN ('charge', 'correction') THEN 0 WHEN credit_account = 'revenue' THEN amount ELSE -amount END`,
  ).as("charged"),
  sumOf(sql`CASE WHEN kind = 'refund' THEN amount ELSE 0 END`).as("refunded"),
] as const;

export function createLedger(engine: Engine): Ledger {
  const { db } = engine;
  return {
    list: (accountId, { offset, limit }) =>
      engine.report(function* () {
        // Each side has an index in this order; a query for both would sort all rows for each page.
        const sides = [
          sql`debit_account = ${accountId}`,
          // The same condition as the partial index has, so that the database uses it.
          sql`credit_account = ${accountId} AND kind <> 'charge'`,
        ] as const;
        const places = sql.join(
          sides.map((side) => sql`SELECT id, created_at FROM transfers WHERE ${side}`),
          sql` UNION ALL `,
        );
        const rows = yield* run<Tables["transfers"]>(
          sql`SELECT transfers.* FROM
            (${places} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) AS page
            JOIN transfers ON transfers.id = page.id
            ORDER BY transfers.created_at DESC, transfers.id DESC`.compile(db),
        );
        const [count] = yield* run<{ total: number }>(
          sql`SELECT count(*) AS total FROM (${places}) AS places`.compile(db),
        );
        return { results: rows.map((row) => toMovement(row, accountId)), total: count!.total };
      }),
    totals: () =>
      engine.report(function* () {
        const [moved] = yield* run(db.selectFrom("transfers").select(MOVED));
        const [kept] = yield* run(
          db.selectFrom("accounts").select([sumOf(sql`balance`).as("balances"), sumOf(sql`held`).as("held")]),
        );
        const [counted] = yield* run(
          db.selectFrom("generations").select(sql<number>`count(*)`.as("records")),
        );
        return { ...moved!, ...kept!, ...counted! };
      }),
    days: (from) =>
      engine.report(() =>
        run(
          db
            .selectFrom("transfers")
            .select([sql<number>`created_at - created_at % ${sql.lit(DAY)}`.as("at"), ...MOVED])
            .where("created_at", ">=", from)
            .groupBy("at")
            .orderBy("at", "desc"),
        ),
      ),
    of: ({ id, accountId }) =>
      engine.read(function* () {
        const rows = yield* run(
          db
            .selectFrom("transfers")
            .selectAll()
            .where(
              "id",
              "in",
              ["charge", "correction", "refund"].map((kind) => `${kind}:${id}`),
            )
            .where((row) =>
              row.or([row("debit_account", "=", accountId), row("credit_account", "=", accountId)]),
            )
            .orderBy("created_at")
            .orderBy("id"),
        );
        return rows.map((row) => toMovement(row, accountId));
      }),
    get: ({ id, accountId }) =>
      engine.read(function* () {
        const row = yield* first(run(db.selectFrom("transfers").selectAll().where("id", "=", id)));
        return row && [row.debit_account, row.credit_account].includes(accountId)
          ? toMovement(row, accountId)
          : undefined;
      }),
  };
}

const toMovement = (row: Tables["transfers"], accountId: string): Movement => ({
  id: row.id,
  kind: row.kind,
  amount: row.credit_account === accountId ? row.amount : -row.amount,
  ...(row.generation_id !== null && { generationId: row.generation_id }),
  createdAt: row.created_at,
});
