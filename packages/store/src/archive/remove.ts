import type { By } from "../audit-log.ts";
import type { Engine } from "../engine/engine.ts";
import type { PartitionWorks } from "../partitions/partitions.ts";
import { ArchiveError } from "./error.ts";
import type { Manifest } from "./manifest.ts";
import type { createMonths } from "./months.ts";
import { removePartitions } from "./remove-partitions.ts";
import { prepareRemoveSteps } from "./remove-steps.ts";
import { presentTotals, removedTotals } from "./sums.ts";

interface RemoveOptions {
  months: ReturnType<typeof createMonths>;
  partitions: Pick<PartitionWorks, "find" | "drop">;
  by: By;
}

/**
 * Removes the records of a verified month, and their charges. Balances, the windows of keys and the sums of usage do
 * not change, and the audit finds no difference at any time. It can be interrupted at any point and called again.
 */
export async function removeMonth(
  engine: Engine,
  manifest: Manifest,
  { months, partitions, by }: RemoveOptions,
): Promise<void> {
  const { month, accounts } = manifest;
  // From here on, no record of the month can change.
  await engine.write(() => months.begin(month));
  const isDropped = await engine.write(
    function* () {
      const isWhole = yield* removePartitions(engine, partitions, manifest);
      if (isWhole) yield* months.end(manifest, by);
      return isWhole;
    },
    { isUnlimited: true },
  );
  if (isDropped) return;
  const remove = prepareRemoveSteps(engine, month);
  for (const { account } of accounts) await remove(account);
  const [present, removed] = [await presentTotals(engine, month), await removedTotals(engine, month)];
  for (const { account, records, cost } of accounts) {
    const found = removed.get(account);
    if (present.has(account) || found?.records !== records || found.cost !== cost)
      throw new ArchiveError(
        `${month}: ${found?.records ?? 0} records of ${account} that cost ${found?.cost ?? 0} micro-USD were removed, ${present.get(account)?.records ?? 0} are left, and the archive has ${records} that cost ${cost}`,
      );
  }
  await engine.write(() => months.end(manifest, by));
}
