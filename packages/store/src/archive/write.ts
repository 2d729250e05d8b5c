import type { Engine } from "../engine/engine.ts";
import type { Month } from "../engine/month.ts";
import type { Objects } from "../objects/objects.ts";
import { GENERATION_COLUMNS, type GenerationRow } from "../usage/generation-columns.ts";
import { ArchiveError } from "./error.ts";
import { type Manifest, partKey, writeManifest } from "./manifest.ts";
import { PartWriter } from "./parts.ts";
import { MonthScan } from "./scan.ts";
import { hourlyTotals } from "./sums.ts";
import { sumOf } from "./totals.ts";

const COLUMNS = Object.entries(GENERATION_COLUMNS).map(([name, { type }]) => ({
  name: name as keyof GenerationRow,
  isJson: type === "JSON?",
}));

/** A record as a line: its columns without those that are null, and JSON as it is stored. */
function toLine(row: GenerationRow): string {
  const members: string[] = [];
  for (const { name, isJson } of COLUMNS) {
    const value = row[name];
    if (value !== null) members.push(`"${name}":${isJson ? value : JSON.stringify(value)}`);
  }
  return `{${members.join()}}\n`;
}

export interface WriteOptions {
  database: string;
  month: Month;
  previous: Manifest["previous"];
  /** The most lines of a part, which tests replace. */
  mostLines?: number | undefined;
}

/**
 * Writes a month's records and their movements to files, and the manifest last: without a manifest, the month is not
 * archived. Repeating it writes the same files. Undefined if the month has no record.
 */
export async function writeMonth(
  engine: Engine,
  objects: Objects,
  { database, month, previous, mostLines }: WriteOptions,
): Promise<{ manifest: Manifest; sha256: string } | undefined> {
  const writerOf = (kind: "records" | "movements") =>
    new PartWriter(objects, (number) => partKey(database, month, kind, number), mostLines);
  const [records, movements] = [writerOf("records"), writerOf("movements")];
  const scan = new MonthScan(engine, month);
  try {
    for await (const page of scan.pages()) {
      await records.write(page.records.map(toLine));
      await movements.write(page.movements.map((row) => `${JSON.stringify(row)}\n`));
    }
    await records.end();
    await movements.end();
  } finally {
    records.abort();
    movements.abort();
  }
  const accounts = [...scan.accounts.values()].sort((a, b) => (a.account < b.account ? -1 : 1));
  await assertComplete(engine, month, scan);
  if (accounts.length === 0) return undefined;
  const { charges, batches } = scan;
  const manifest: Manifest = {
    ...{ format: 1, database, month },
    ...(previous && { previous }),
    ...{ records: records.parts, movements: movements.parts },
    totals: { ...sumOf(accounts), charges, batches },
    accounts: accounts.map(({ account, ...rest }) => ({ account, ...rest })),
  };
  return { manifest, sha256: await writeManifest(objects, manifest) };
}

/**
 * Throws `ArchiveError` unless all records were found. They are found by the time in their ids, so a record with
 * another kind of id would be missed; the hourly sums count it.
 */
async function assertComplete(engine: Engine, month: Month, { accounts }: MonthScan): Promise<void> {
  for (const [account, sums] of await hourlyTotals(engine, month)) {
    const { records = 0, cost = 0 } = accounts.get(account) ?? {};
    if (records === sums.records && cost === sums.cost) continue;
    throw new ArchiveError(
      `${month} cannot be archived: of ${account}, ${records} records that cost ${cost} micro-USD were found, and the hourly sums have ${sums.records} that cost ${sums.cost}; 'audit --repair' recomputes sums, and records whose ids do not begin with their time cannot be archived`,
    );
  }
}
