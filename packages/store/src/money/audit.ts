import { type Counts, costOf, type Price } from "@manifold-gateway/core/pricing";
import { type RawBuilder, sql } from "kysely";
import { REMOVED_UNTIL } from "../archive/removed.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { param, prepare, run } from "../engine/statement.ts";
import { hourChecks } from "../usage/repair.ts";
import type { Money } from "./money.ts";

/** A stored value that differs from the one computed from the records. */
export interface Difference {
  /** The invariant, in words. */
  invariant: string;
  /** The id of the account, key window, generation or transfer. */
  subject: string;
  expected: number | string;
  actual: number | string;
}

type Finding = Omit<Difference, "invariant">;

const total = (column: string) => sql`CAST(COALESCE(SUM(${sql.raw(column)}), 0) AS BIGINT)`;

/** Joins the charge of a generation `g` as `t`, and its correction as `c`. */
const CHARGES = sql`LEFT JOIN transfers AS t ON t.id = 'charge:' || g.id
  LEFT JOIN transfers AS c ON c.id = 'correction:' || g.id`;
/** The sum of the two; for a generation charged in a batch its cost, since the batch has one movement for all. */
const CHARGED = `CASE WHEN g.batch IS NOT NULL THEN COALESCE(g.cost, 0) ELSE 0 END + COALESCE(t.amount, 0)
  + CASE c.credit_account WHEN 'revenue' THEN c.amount ELSE -COALESCE(c.amount, 0) END`;

/** Generations that are in the database, and those of removed months that the ledger still has something of. */
const KNOWN = sql`(SELECT id, account_id, cost FROM generations
  UNION ALL SELECT id, account_id, cost FROM archived_generations)`;
/** The beginning of the ids of charges that took the place of those of a removed month. */
const MERGED = sql.lit("batch:archive:%");

/** One query for each invariant; it returns the rows that break it. */
const CHECKS: readonly (readonly [invariant: string, query: RawBuilder<Finding>])[] = [
  [
    "the balance of an account is the sum of its transfers",
    sql`SELECT a.id AS subject, COALESCE(t.total, 0) AS expected, a.balance AS actual FROM accounts AS a
      LEFT JOIN (SELECT account, ${total("amount")} AS total FROM (
        SELECT credit_account AS account, amount FROM transfers
        UNION ALL SELECT debit_account, -amount FROM transfers) AS sides GROUP BY account) AS t ON t.account = a.id
      WHERE a.balance <> COALESCE(t.total, 0)`,
  ],
  [
    "a transfer names an account",
    sql`SELECT t.id AS subject, 'an account' AS expected, t.debit_account || ' to ' || t.credit_account AS actual
      FROM transfers AS t LEFT JOIN accounts AS a
        ON a.id = CASE t.credit_account WHEN 'revenue' THEN t.debit_account ELSE t.credit_account END
      WHERE a.id IS NULL`,
  ],
  [
    "all accounts, the house and the revenue included, add up to nothing",
    sql`SELECT 'ledger' AS subject, 0 AS expected, balances.total + sides.total AS actual FROM
      (SELECT ${total("balance")} AS total FROM accounts) AS balances,
      (SELECT ${total("CASE credit_account WHEN 'revenue' THEN amount ELSE -amount END")} AS total FROM transfers) AS sides
      WHERE balances.total + sides.total <> 0`,
  ],
  [
    "what an account holds is the sum of its open reservations and leases",
    sql`SELECT a.id AS subject, COALESCE(r.total, 0) AS expected, a.held AS actual FROM accounts AS a
      LEFT JOIN (SELECT account_id, ${total("held")} AS total FROM (
        SELECT account_id, held FROM generations WHERE status = 'pending'
        UNION ALL SELECT account_id, amount FROM leases) AS holds GROUP BY account_id) AS r ON r.account_id = a.id
      WHERE a.held <> COALESCE(r.total, 0)`,
  ],
  ...(["held", "spent"] as const).map(
    (column) =>
      [
        `what is ${column} in a window is the sum over its reservations and leases`,
        sql<Finding>`WITH takes AS (
          SELECT g.key_id, g.daily, g.weekly, g.monthly, CASE WHEN g.status = 'pending' THEN g.held ELSE 0 END AS held,
            ${sql.raw(CHARGED)} AS spent
          FROM generations AS g ${CHARGES} WHERE g.key_id IS NOT NULL
          UNION ALL SELECT key_id, daily, weekly, monthly, amount, 0 FROM leases WHERE key_id IS NOT NULL
          UNION ALL SELECT key_id, daily, weekly, monthly, 0, cost FROM archived_days WHERE key_id <> ''),
        windows AS (
          SELECT g.key_id, w.kind, CASE w.kind WHEN 'daily' THEN g.daily WHEN 'weekly' THEN g.weekly
              WHEN 'monthly' THEN g.monthly ELSE 'all' END AS win,
            ${total("g.held")} AS held, ${total("g.spent")} AS spent
          FROM takes AS g
            CROSS JOIN (SELECT 'daily' AS kind UNION ALL SELECT 'weekly' UNION ALL SELECT 'monthly'
              UNION ALL SELECT 'total') AS w
          GROUP BY 1, 2, 3)
        SELECT COALESCE(s.key_id, w.key_id) || ' ' || COALESCE(s.win, w.win) AS subject,
          COALESCE(w.${sql.raw(column)}, 0) AS expected, COALESCE(s.${sql.raw(column)}, 0) AS actual
        FROM key_spend AS s FULL JOIN windows AS w ON s.key_id = w.key_id AND s.kind = w.kind AND s.win = w.win
        WHERE COALESCE(w.${sql.raw(column)}, 0) <> COALESCE(s.${sql.raw(column)}, 0)`,
      ] as const,
  ),
  [
    "a lease covers what is held for the generations that were admitted from it",
    sql`SELECT g.lease AS subject, g.total AS expected, COALESCE(l.amount, 0) AS actual
      FROM (SELECT lease, ${total("leased")} AS total FROM generations WHERE status = 'pending' AND lease IS NOT NULL
        GROUP BY lease) AS g LEFT JOIN leases AS l ON l.id = g.lease
      WHERE g.total > COALESCE(l.amount, 0)`,
  ],
  [
    "the charge of a batch is what its generations cost, to their account",
    sql`SELECT COALESCE(t.id, g.batch) AS subject, COALESCE(g.total, 0) AS expected, COALESCE(t.amount, 0) AS actual
      FROM (SELECT batch, MIN(account_id) AS first, MAX(account_id) AS last, ${total("cost")} AS total
        FROM generations WHERE batch IS NOT NULL GROUP BY batch) AS g
      FULL JOIN (SELECT id, debit_account, amount FROM transfers
          WHERE kind = 'charge' AND generation_id IS NULL AND id NOT LIKE ${MERGED}) AS t
        ON t.id = g.batch
      WHERE COALESCE(g.total, 0) <> COALESCE(t.amount, 0) OR g.first <> g.last OR t.debit_account <> g.first`,
  ],
  [
    "the charges that an account has of removed months are what was charged in them",
    sql`SELECT COALESCE(t.debit_account, d.account_id) AS subject, COALESCE(d.total, 0) AS expected,
        COALESCE(t.total, 0) AS actual
      FROM (SELECT debit_account, ${total("amount")} AS total FROM transfers
        WHERE kind = 'charge' AND generation_id IS NULL AND id LIKE ${MERGED} GROUP BY 1) AS t
      FULL JOIN (SELECT account_id, ${total("charged")} AS total FROM archived_days GROUP BY 1) AS d
        ON d.account_id = t.debit_account
      WHERE COALESCE(d.total, 0) <> COALESCE(t.total, 0)`,
  ],
  [
    "what an account's keys spent is what was charged through them",
    sql`SELECT a.id AS subject, COALESCE(c.total, 0) + COALESCE(d.total, 0) AS expected, COALESCE(s.total, 0) AS actual
      FROM accounts AS a
      LEFT JOIN (SELECT g.account_id AS id, ${total(CHARGED)} AS total FROM generations AS g ${CHARGES}
        WHERE g.key_id IS NOT NULL GROUP BY 1) AS c ON c.id = a.id
      LEFT JOIN (SELECT account_id AS id, ${total("cost")} AS total FROM archived_days WHERE key_id <> ''
        GROUP BY 1) AS d ON d.id = a.id
      LEFT JOIN (SELECT k.account_id AS id, ${total("spent")} AS total FROM key_spend AS w
        JOIN api_keys AS k ON k.id = w.key_id WHERE w.kind = 'total' GROUP BY 1) AS s ON s.id = a.id
      WHERE COALESCE(c.total, 0) + COALESCE(d.total, 0) <> COALESCE(s.total, 0)`,
  ],
  [
    "a generation belongs to an account, and to a key of it",
    sql`SELECT g.id AS subject, g.account_id AS expected, COALESCE(k.account_id, 'none') AS actual
      FROM generations AS g LEFT JOIN accounts AS a ON a.id = g.account_id LEFT JOIN api_keys AS k ON k.id = g.key_id
      WHERE a.id IS NULL OR (g.key_id IS NOT NULL AND (k.id IS NULL OR k.account_id <> g.account_id))`,
  ],
  [
    "a charge, a correction or a refund is of a generation, and named after it",
    sql`SELECT t.id AS subject, t.kind || ':' || COALESCE(g.id, 'none') AS expected, t.id AS actual
      FROM transfers AS t LEFT JOIN ${KNOWN} AS g ON g.id = t.generation_id
      WHERE t.generation_id IS NOT NULL AND (g.id IS NULL OR t.id <> t.kind || ':' || g.id)`,
  ],
  [
    "a generation has one charge to its account, its own or a batch's, which with its correction is its cost",
    sql`SELECT g.id AS subject, COALESCE(g.cost, 0) AS expected, ${sql.raw(CHARGED)} AS actual
      FROM generations AS g ${CHARGES}
      WHERE COALESCE(g.cost, 0) <> ${sql.raw(CHARGED)} OR t.debit_account <> g.account_id`,
  ],
  [
    "a correction is of a charge, on the account that paid",
    sql`SELECT c.id AS subject, COALESCE(t.debit_account, g.account_id, 'a charge') AS expected,
        c.debit_account || ' to ' || c.credit_account AS actual
      FROM transfers AS c LEFT JOIN transfers AS t ON t.id = 'charge:' || c.generation_id
        LEFT JOIN archived_generations AS g ON g.id = c.generation_id
      WHERE c.kind = 'correction' AND (COALESCE(t.debit_account, g.account_id) IS NULL
        OR COALESCE(t.debit_account, g.account_id) NOT IN (c.debit_account, c.credit_account))`,
  ],
  [
    "a refund is of a charge and not above the cost, to the account that paid",
    sql`SELECT r.id AS subject, COALESCE(g.cost, 0) AS expected, r.amount AS actual
      FROM transfers AS r LEFT JOIN ${KNOWN} AS g ON g.id = r.generation_id
      WHERE r.kind = 'refund' AND
        (g.cost IS NULL OR r.amount > g.cost OR r.credit_account <> g.account_id)`,
  ],
  [
    "a hold that no process owns belongs to a job that goes on",
    sql`SELECT g.id AS subject, 'a job that goes on' AS expected, COALESCE(j.state, 'no job') AS actual
      FROM generations AS g LEFT JOIN jobs AS j ON j.id = g.id
      WHERE g.status = 'pending' AND g.owner IS NULL AND (j.id IS NULL OR j.ended_at IS NOT NULL)`,
  ],
  [
    "a job that is billed has a generation of its account, which ends with it",
    sql`SELECT j.id AS subject,
        CASE WHEN j.ended_at IS NULL THEN 'pending' ELSE j.state END || ' of ' || j.account_id AS expected,
        COALESCE(g.status || ' of ' || g.account_id, 'none') AS actual
      FROM jobs AS j LEFT JOIN generations AS g ON g.id = j.id
      WHERE j.kind <> 'asset' AND NOT (g.id IS NULL AND j.ended_at IS NOT NULL AND j.created_at < ${sql.raw(REMOVED_UNTIL)})
        AND (g.id IS NULL OR g.account_id <> j.account_id
        OR g.status <> CASE WHEN j.ended_at IS NULL THEN 'pending' ELSE j.state END)`,
  ],
];

const PAGE = 500;

interface Charged {
  id: string;
  cost: number;
  usage: string;
  price: string;
}

export function createAudit(engine: Engine): Pick<Money, "audit"> {
  const { db } = engine;
  const checks = [...CHECKS, ...hourChecks(engine.dialect)];
  const priced = prepare<{ after: string }, Charged>(
    db,
    db
      .selectFrom("generations")
      .select(["id", "cost", "usage", "price"])
      .where("cost", ">", 0)
      .where("price", "is not", null)
      .where("usage", "is not", null)
      .where("id", ">", param("after"))
      .orderBy("id")
      .limit(sql.lit(PAGE))
      .$castTo<Charged>(),
  );

  const recompute = function* (): Work<Difference[]> {
    const differences: Difference[] = [];
    for (let after = ""; ; ) {
      const page = yield* priced({ after });
      for (const { id, cost, usage, price } of page) {
        const expected = costText(() => costOf(JSON.parse(usage) as Counts, JSON.parse(price) as Price));
        const invariant = "a charge is what its usage costs at its price";
        if (expected !== cost) differences.push({ invariant, subject: id, expected, actual: cost });
      }
      if (page.length < PAGE) return differences;
      after = page.at(-1)!.id;
    }
  };

  return {
    audit: () =>
      engine.snapshot(function* () {
        const differences: Difference[] = [];
        for (const [invariant, query] of checks)
          for (const found of yield* run<Finding>(query.compile(db)))
            differences.push({ invariant, ...found });
        return differences.concat(yield* recompute());
      }),
  };
}

/** A cost, or the error in its counts or prices. */
function costText(cost: () => number): number | string {
  try {
    return cost();
  } catch (error) {
    return (error as Error).message;
  }
}
