import { type RawBuilder, sql } from "kysely";
import { DAY } from "../engine/durations.ts";
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
  /** The account's balance after it, in the order of the ledger; only where it was asked for. */
  balance?: number;
}

/** Sums over all accounts, in micro-USD, and the number of generation records, with archived ones. */
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
  /** Lists the account's movements, newest first, each with the balance after it, with their total number. */
  list(
    accountId: string,
    page: { offset: number; limit: number },
  ): Promise<{ results: Movement[]; total: number }>;
  /** The movements of one generation of the account, oldest first, with the charge that it shares with others. */
  of(generation: { id: string; accountId: string }): Promise<Movement[]>;
  /** The same, each with the balance after it. It adds up every later movement of the account. */
  withBalances(generation: { id: string; accountId: string }): Promise<Movement[]>;
  /** Computes the totals. It reads every movement, so it is too slow for each request. */
  totals(): Promise<Totals>;
  /** The days since `from` with movements, newest first. It reads every movement: too slow for each request. */
  days(from: number): Promise<BookedDay[]>;
  /** The account's movement of this id. */
  get(ref: { id: string; accountId: string }): Promise<Movement | undefined>;
}

const sumOf = (amount: RawBuilder<unknown>) => sql<number>`CAST(COALESCE(SUM(${amount}), 0) AS BIGINT)`;

/** The sums of credit, charges and refunds over movements. */
const MOVED = [
  sumOf(sql`CASE WHEN debit_account = 'house' THEN amount ELSE 0 END`).as("credited"),
  sumOf(
    sql`CASE WHEN kind NOT IN ('charge', 'correction') THEN 0 WHEN credit_account = 'revenue' THEN amount ELSE -amount END`,
  ).as("charged"),
  sumOf(sql`CASE WHEN kind = 'refund' THEN amount ELSE 0 END`).as("refunded"),
] as const;

/** The effect of a movement on an account. */
const effectOn = (account: string, of: RawBuilder<unknown>) =>
  sql`CASE WHEN ${of}.credit_account = ${account} THEN ${of}.amount ELSE -${of}.amount END`;

/** The account's movements on either side. Each has an index in this order; a query for both would sort all rows. */
const sidesOf = (account: string) => [
  sql`debit_account = ${account}`,
  // The same condition as the partial index has, so that the database uses it.
  sql`credit_account = ${account} AND kind <> 'charge'`,
];

export function createLedger(engine: Engine): Ledger {
  const { db } = engine;
  /** The movements of a generation; the further columns are of the movement `t`. */
  const ofGeneration = <Columns extends object>(
    { id, accountId }: { id: string; accountId: string },
    columns: RawBuilder<unknown> = sql``,
  ) => {
    const names = ["charge", "correction", "refund"].map((kind) => sql`${`${kind}:${id}`}`);
    const shared = sql`(SELECT batch FROM generations WHERE id = ${id} AND cost > 0)`;
    return run<Tables["transfers"] & Columns>(
      sql`SELECT t.* ${columns} FROM transfers AS t WHERE t.id IN (${sql.join([...names, shared])})
        AND ${accountId} IN (t.debit_account, t.credit_account) ORDER BY t.created_at, t.id`.compile(db),
    );
  };
  return {
    list: (accountId, { offset, limit }) =>
      engine.delayed(function* () {
        const places = sql.join(
          sidesOf(accountId).map((side) => sql`SELECT id, created_at FROM transfers WHERE ${side}`),
          sql` UNION ALL `,
        );
        const newest = sql`${places} ORDER BY created_at DESC, id DESC LIMIT`;
        // One statement, so that the balance is of the same moment as the movements. SQLite keeps the order of a cross
        // join: it would search the few places for each of all movements, as it expects a page to be large.
        const rows = yield* run<Tables["transfers"] & { now: number; above: number }>(
          sql`SELECT transfers.*, (SELECT balance FROM accounts WHERE id = ${accountId}) AS now,
              (SELECT ${sumOf(effectOn(accountId, sql`t`))} FROM (${newest} ${offset}) AS above
                CROSS JOIN transfers AS t WHERE t.id = above.id) AS above
            FROM (${newest} ${limit} OFFSET ${offset}) AS page CROSS JOIN transfers WHERE transfers.id = page.id
            ORDER BY transfers.created_at DESC, transfers.id DESC`.compile(db),
        );
        const [count] = yield* run<{ total: number }>(
          sql`SELECT count(*) AS total FROM (${places}) AS places`.compile(db),
        );
        let balance = rows.length > 0 ? rows[0]!.now - rows[0]!.above : 0;
        const results = rows.map((row) => {
          const movement = { ...toMovement(row, accountId), balance };
          balance -= movement.amount;
          return movement;
        });
        return { results, total: count!.total };
      }),
    totals: () =>
      engine.report(function* () {
        const [moved] = yield* run(db.selectFrom("transfers").select(MOVED));
        const [kept] = yield* run(
          db.selectFrom("accounts").select([sumOf(sql`balance`).as("balances"), sumOf(sql`held`).as("held")]),
        );
        const [present] = yield* run(
          db.selectFrom("generations").select(sql<number>`count(*)`.as("records")),
        );
        const [archived] = yield* run(
          db.selectFrom("archived_days").select(sumOf(sql`requests`).as("records")),
        );
        return { ...moved!, ...kept!, records: present!.records + archived!.records };
      }),
    days: (from) =>
      engine.delayed(() =>
        run(
          db
            .selectFrom("transfers")
            .select([sql<number>`created_at - created_at % ${sql.lit(DAY)}`.as("at"), ...MOVED])
            .where("created_at", ">=", from)
            .groupBy("at")
            .orderBy("at", "desc"),
        ),
      ),
    of: (generation) =>
      engine.read(function* () {
        return (yield* ofGeneration(generation)).map((row) => toMovement(row, generation.accountId));
      }),
    withBalances: (generation) =>
      engine.report(function* () {
        const { accountId } = generation;
        const later = sidesOf(accountId).map(
          (side) => sql`(SELECT ${sumOf(effectOn(accountId, sql`l`))} FROM transfers AS l WHERE ${side}
            AND l.created_at >= t.created_at AND (l.created_at > t.created_at OR l.id > t.id))`,
        );
        const balance = sql`, (SELECT balance FROM accounts WHERE id = ${accountId}) - ${sql.join(later, sql` - `)}
          AS balance`;
        const rows = yield* ofGeneration<{ balance: number }>(generation, balance);
        return rows.map((row) => ({ ...toMovement(row, accountId), balance: row.balance }));
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
