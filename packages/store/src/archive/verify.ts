import type { Engine } from "../engine/engine.ts";
import type { Objects } from "../objects/objects.ts";
import { ArchiveError } from "./error.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import type { ArchivedMonth } from "./months.ts";
import { readPart } from "./parts.ts";
import { correctedBy, type MovementRow } from "./scan.ts";
import { hourlyTotals, mergeSums, presentTotals, type RecordSums, removedTotals } from "./sums.ts";
import { type AccountTotals, nothing } from "./totals.ts";

/** Reads a month's manifest. Throws `ArchiveError` unless it follows the month before. */
export async function openMonth(
  objects: Objects,
  database: string,
  { month, sha256 }: ArchivedMonth,
  previous: ArchivedMonth | undefined,
): Promise<Manifest> {
  const manifest = await readManifest(objects, { database, month, sha256 });
  const found = [manifest.database, manifest.month, manifest.previous?.month, manifest.previous?.sha256];
  const wanted = [database, month, previous?.month, previous?.sha256];
  if (found.join(" ") !== wanted.join(" "))
    throw new ArchiveError(
      `${month}: the manifest is of ${found[1]} of ${found[0]} after ${found[2] ?? "no month"} (${found[3] ?? "-"}), not of ${wanted[1]} of ${wanted[0]} after ${wanted[2] ?? "no month"} (${wanted[3] ?? "-"})`,
    );
  return manifest;
}

interface RecordLine {
  id: string;
  account_id: string;
  cost?: number;
}

/** Reads all files of a month, and adds them up. Throws `ArchiveError` if one is missing or damaged. */
async function readTotals(objects: Objects, { records, movements }: Manifest) {
  const accounts = new Map<string, AccountTotals>();
  const of = (account: string): AccountTotals => {
    const totals = accounts.get(account) ?? { account, ...nothing() };
    accounts.set(account, totals);
    return totals;
  };
  for (const part of records)
    for await (const line of readPart(objects, part)) {
      const { account_id, cost = 0 } = JSON.parse(line) as RecordLine;
      const totals = of(account_id);
      totals.records += 1;
      totals.cost += cost;
    }
  for (const part of movements)
    for await (const line of readPart(objects, part)) {
      const row = JSON.parse(line) as MovementRow;
      const { kind, amount, debit_account, credit_account } = row;
      const totals = of(debit_account === "revenue" ? credit_account : debit_account);
      if (kind === "charge") totals.charged += amount;
      else if (kind === "refund") totals.refunded += amount;
      else totals.corrected += correctedBy(row);
    }
  return accounts;
}

/** Throws `ArchiveError` if sums of an account are not those of the manifest. */
function assertSame(
  month: string,
  place: string,
  accounts: readonly AccountTotals[],
  sums: ReadonlyMap<string, RecordSums>,
): void {
  for (const { account, records, cost } of accounts) {
    const { records: has = 0, cost: costs = 0 } = sums.get(account) ?? {};
    if (has !== records || costs !== cost)
      throw new ArchiveError(
        `${month}: ${place} has ${has} records of ${account} that cost ${costs} micro-USD, and the archive ${records} that cost ${cost}`,
      );
  }
  const known = new Set(accounts.map(({ account }) => account));
  for (const [account, { records }] of sums)
    if (!known.has(account) && records > 0)
      throw new ArchiveError(`${month}: ${place} has ${records} records of ${account}, and the archive none`);
}

/**
 * Verifies a month: the place of its manifest in the chain, every file, and the sums over the files against the
 * manifest and the database. Throws `ArchiveError` for the first difference.
 */
export async function verifyMonth(
  engine: Engine,
  objects: Objects,
  archived: ArchivedMonth,
  { database, previous }: { database: string; previous: ArchivedMonth | undefined },
): Promise<Manifest> {
  const { month, state } = archived;
  const manifest = await openMonth(objects, database, archived, previous);
  const { accounts } = manifest;
  const found = await readTotals(objects, manifest);
  const texts = [accounts, [...found.values()]].map((some) =>
    some
      .map(({ account, records, cost, charged, corrected, refunded }) =>
        [account, records, cost, charged, corrected, refunded].join(" "),
      )
      .sort(),
  );
  const at = texts[0]!.findIndex((text, index) => text !== texts[1]![index]);
  if (at >= 0 || texts[0]!.length !== texts[1]!.length)
    throw new ArchiveError(
      `${month}: the files add up to "${texts[1]![Math.max(0, at)] ?? "nothing"}" (account, records, cost, charged, corrected, refunded), the manifest says "${texts[0]![Math.max(0, at)] ?? "nothing"}"`,
    );
  const [present, removed] = [
    state === "removed" ? new Map() : await presentTotals(engine, month),
    state === "written" ? new Map() : await removedTotals(engine, month),
  ];
  assertSame(month, "the database", accounts, mergeSums(present, removed));
  assertSame(month, "the sum of hours", accounts, await hourlyTotals(engine, month));
  return manifest;
}
