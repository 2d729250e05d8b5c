import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { idAt } from "../engine/id-time.ts";
import type { Month } from "../engine/month.ts";
import { first, run } from "../engine/statement.ts";
import { mergeCharges } from "../money/settlement.ts";
import type { PartitionWorks } from "../partitions/partitions.ts";
import { ArchiveError } from "./error.ts";
import type { Manifest } from "./manifest.ts";
import { boundsOf, idsOf, isOfMonth } from "./scan.ts";

const SERIES = ["generations", "charges", "batches"] as const;

/** A condition: the id lies in the partition of a month. */
const inPartition = (month: Month, prefix = "") => {
  const { from, to } = boundsOf(month);
  return sql<boolean>`id >= ${prefix + idAt(from)} AND id < ${prefix + idAt(to)}`;
};

/**
 * The work of removing a month by dropping its partitions. Their rows are kept as sums, and as one charge for each
 * account and day. False if the month has no partitions, or if they have rows that the archive does not have.
 */
export function* removePartitions(
  { db }: Engine,
  partitions: Pick<PartitionWorks, "find" | "drop">,
  { month, totals }: Manifest,
): Work<boolean> {
  for (const series of SERIES) if (!(yield* partitions.find(series, month))) return false;
  const counted = sql<{ all: number; archived: number }>`SELECT CAST(COUNT(*) AS BIGINT) AS "all",
      CAST(COALESCE(SUM(CASE WHEN ${isOfMonth(month)} THEN 1 ELSE 0 END), 0) AS BIGINT) AS archived
    FROM generations WHERE ${inPartition(month)}`;
  const records = yield* first(run<{ all: number; archived: number }>(counted.compile(db)));
  if (records?.all !== totals.records || records.archived !== totals.records) return false;
  let amount = 0;
  for (const [prefix, count] of [
    ["charge:", totals.charges],
    ["batch:", totals.batches],
  ] as const) {
    const summed = sql<{ count: number; amount: number }>`SELECT CAST(COUNT(*) AS BIGINT) AS count,
        CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS amount
      FROM transfers WHERE ${inPartition(month, prefix)}`;
    const found = yield* first(run<{ count: number; amount: number }>(summed.compile(db)));
    if (found?.count !== count) return false;
    amount += found.amount;
  }
  if (amount !== totals.charged) return false;

  const [corrections, refunds] = [idsOf(month, "correction:"), idsOf(month, "refund:")];
  const corrected = sql`(id >= ${corrections.from} AND id < ${corrections.to})`;
  const refunded = sql`(id >= ${refunds.from} AND id < ${refunds.to})`;
  yield* run(
    sql`INSERT INTO archived_generations (id, account_id, cost)
      SELECT id, account_id, COALESCE(cost, 0) FROM generations WHERE ${inPartition(month)}
        AND id IN (SELECT generation_id FROM transfers WHERE ${corrected} OR ${refunded})`.compile(db),
  );
  yield* run(
    sql`INSERT INTO archived_days
        (month, account_id, key_id, daily, weekly, monthly, requests, cost, charged)
      SELECT ${month}, account_id, COALESCE(key_id, ''), daily, weekly, monthly, COUNT(*),
        SUM(COALESCE(cost, 0)), SUM(COALESCE(cost, 0) - COALESCE(corrected, 0))
      FROM generations LEFT JOIN (
          SELECT generation_id, CASE credit_account WHEN 'revenue' THEN amount ELSE -amount END AS corrected
          FROM transfers WHERE ${corrected}) AS c ON c.generation_id = generations.id
      WHERE ${inPartition(month)}
      GROUP BY account_id, COALESCE(key_id, ''), daily, weekly, monthly`.compile(db),
  );
  const charges = sql`${inPartition(month, "charge:")} OR ${inPartition(month, "batch:")}`;
  yield* run(mergeCharges(month, charges).compile(db));
  if (!(yield* partitions.drop(SERIES, month)))
    throw new ArchiveError(
      `${month}: nothing was removed, because a query that takes long reads its tables; repeat the command once that has ended`,
    );
  return true;
}
