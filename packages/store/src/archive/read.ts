import type { Objects } from "../objects/objects.ts";
import type { Generation } from "../usage/generation.ts";
import { MEMBERS } from "../usage/generation-columns.ts";
import type { Manifest } from "./manifest.ts";
import { readPart } from "./parts.ts";

/** Which of a month's records are read; an absent member allows any. */
export interface RecordFilter {
  accountId?: string;
  id?: string;
}

const READ = Object.entries(MEMBERS);

/** A line as the record that callers read. The contents of requests are not archived. */
function toGeneration(row: Record<string, unknown>): Generation {
  const generation: Record<string, unknown> = {};
  for (const [member, column] of READ) if (row[column] !== undefined) generation[member] = row[column];
  return generation as unknown as Generation;
}

/** Reads the records of a month in the order of their ids. Throws `ArchiveError` at a part that is damaged. */
export async function* readRecords(
  objects: Objects,
  { records }: Manifest,
  { accountId, id }: RecordFilter,
): AsyncGenerator<Generation> {
  // Only lines that contain the text are parsed: most are of other accounts.
  const wanted = [accountId, id].flatMap((text) => (text === undefined ? [] : [JSON.stringify(text)]));
  for (const part of records)
    for await (const line of readPart(objects, part)) {
      if (!wanted.every((text) => line.includes(text))) continue;
      const generation = toGeneration(JSON.parse(line) as Record<string, unknown>);
      if (accountId !== undefined && generation.accountId !== accountId) continue;
      if (id === undefined || generation.id === id) yield generation;
    }
}
