import type { By } from "../audit-log.ts";
import type { Engine } from "../engine/engine.ts";
import { isMonth, type Month, monthAfter, monthOf } from "../engine/month.ts";
import type { Objects } from "../objects/objects.ts";
import type { PartitionWorks } from "../partitions/partitions.ts";
import type { Generation } from "../usage/generation.ts";
import { type Bill, makeBill } from "./bill.ts";
import { ArchiveError } from "./error.ts";
import { type ArchivedMonth, createMonths, lastClosed, monthsBetween } from "./months.ts";
import { type RecordFilter, readRecords } from "./read.ts";
import { removeMonth } from "./remove.ts";
import { boundsOf } from "./scan.ts";
import { openMonth, verifyMonth } from "./verify.ts";
import { writeMonth } from "./write.ts";

/** The store of an archive's files, and when a month is closed. */
export interface ArchiveTerms {
  /** The store of the files. */
  objects: Objects;
  /** In ms. */
  now: number;
  /** The days after the end of a month from which it is closed. */
  days: number;
  /** The last month. Default: the last that is closed. */
  month?: Month | undefined;
  /** The actor for the audit log. Default: the service. */
  by?: By;
  /** The most lines of a file, which tests replace. */
  mostLines?: number;
}

/**
 * The records of closed months in files. A month is written, then verified, then removed; balances, sums and the audit
 * stay as they are. Every method throws `ArchiveError` for what is missing, damaged or too early.
 */
export interface Archive {
  /** The archived months, oldest first. */
  list(): Promise<ArchivedMonth[]>;
  /** Writes the closed months that are not written yet, oldest first; yields each. */
  write(terms: ArchiveTerms): AsyncGenerator<ArchivedMonth>;
  /** Removes the records of written months, oldest first, each after it was verified; yields each. */
  remove(terms: ArchiveTerms): AsyncGenerator<ArchivedMonth>;
  /** Verifies the archived months, oldest first; yields each, with the error if one was found. */
  verify(objects: Objects): AsyncGenerator<{ month: Month; records: number; error?: string }>;
  /** Reads records of an archived month, without the contents of their requests. */
  read(objects: Objects, month: Month, filter?: RecordFilter): AsyncGenerator<Generation>;
  /** The bill of an account for a month, archived or not. */
  bill(objects: Objects, of: { accountId: string; month: Month }): Promise<Bill>;
  /** The end of the months whose records were removed, in ms; undefined if there are none. */
  removedUntil(): Promise<number | undefined>;
  /** The month of an id, if the records of that month were removed. */
  removedMonthOf(id: string): Promise<Month | undefined>;
}

const byOf = ({ by, now }: ArchiveTerms): By => by ?? { actor: "service", at: now };

const ID = /^[0-9a-f]{12}/;

function assertMonth(text: string): void {
  if (!isMonth(text)) throw new ArchiveError(`"${text}" is no month like 2026-11`);
}

export function createArchive(
  engine: Engine,
  partitions: Pick<PartitionWorks, "find" | "drop">,
  nameOf: () => Promise<string>,
): Archive {
  const months = createMonths(engine);

  /** Throws unless the month is closed. */
  function assertClosed(month: Month, { now, days }: ArchiveTerms): void {
    assertMonth(month);
    const last = lastClosed(now, days);
    if (month > last)
      throw new ArchiveError(
        `${month} is not closed: it is ${days} days after its end, so ${last} is the last month that is`,
      );
  }

  /** The archived month, with the one before it in the chain. */
  async function find(month: Month) {
    assertMonth(month);
    const all = await months.list();
    const at = all.findIndex((one) => one.month === month);
    if (at < 0)
      throw new ArchiveError(
        `${month} is not archived; ${all.length > 0 ? `${all[0]!.month} to ${all.at(-1)!.month} are` : "no month is"}`,
      );
    return { archived: all[at]!, previous: all[at - 1] };
  }
  const verified = async (objects: Objects, month: Month) => {
    const { archived, previous } = await find(month);
    return verifyMonth(engine, objects, archived, { database: await nameOf(), previous });
  };
  const manifestOf = async (objects: Objects, month: Month) => {
    const { archived, previous } = await find(month);
    return openMonth(objects, await nameOf(), archived, previous);
  };

  return {
    list: months.list,
    async *write(terms) {
      const { objects, now, days, mostLines, month: end = lastClosed(now, days) } = terms;
      assertClosed(end, terms);
      const all = await months.list();
      const last = all.at(-1);
      const oldest = await months.oldest();
      if (oldest === undefined) return;
      const isRemoved = all.find(({ month }) => month === oldest)?.state === "removed";
      const isLate = last && oldest < last.month && !all.some(({ month }) => month === oldest);
      if (isRemoved || isLate)
        throw new ArchiveError(
          `${oldest} has a record that is not archived, though ${last!.month} is: months are archived once, in order`,
        );
      const begin = last && last.month >= oldest ? monthAfter(last.month) : oldest;
      const database = await nameOf();
      let previous = last && { month: last.month, sha256: last.sha256 };
      for (const month of monthsBetween(begin, end)) {
        await months.assertEnded(month);
        const written = await writeMonth(engine, objects, { database, month, previous, mostLines });
        if (!written) continue;
        await months.add(written.manifest, written.sha256, byOf(terms));
        previous = { month, sha256: written.sha256 };
        yield (await find(month)).archived;
      }
    },
    async *remove(terms) {
      const { objects, month: end } = terms;
      if (end !== undefined) assertClosed(end, terms);
      for (const { month, state } of await months.list()) {
        if (state === "removed" || (end !== undefined && month > end)) continue;
        const manifest = await verified(objects, month);
        await removeMonth(engine, manifest, { months, partitions, by: byOf(terms) });
        yield (await find(month)).archived;
      }
    },
    async *verify(objects) {
      for (const { month, records } of await months.list())
        try {
          await verified(objects, month);
          yield { month, records };
        } catch (error) {
          if (!(error instanceof ArchiveError)) throw error;
          yield { month, records, error: error.message };
        }
    },
    async *read(objects, month, filter = {}) {
      yield* readRecords(objects, await manifestOf(objects, month), filter);
    },
    async bill(objects, { accountId, month }) {
      assertMonth(month);
      const isArchived = (await months.list()).some((one) => one.month === month);
      const records = isArchived
        ? readRecords(objects, await manifestOf(objects, month), { accountId })
        : undefined;
      return makeBill(engine, { accountId, month }, records);
    },
    async removedUntil() {
      const last = (await months.list()).findLast(({ state }) => state !== "written");
      return last && boundsOf(last.month).to;
    },
    async removedMonthOf(id) {
      const time = ID.exec(id)?.[0];
      if (time === undefined) return undefined;
      const month = monthOf(Number.parseInt(time, 16));
      const found = (await months.list()).find((one) => one.month === month);
      return found && found.state !== "written" ? month : undefined;
    },
  };
}
