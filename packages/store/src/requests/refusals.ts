import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { createDeferredWrite } from "../engine/deferred-write.ts";
import { deleteRows } from "../engine/delete-rows.ts";
import { DAY, HOUR } from "../engine/durations.ts";
import type { Engine } from "../engine/engine.ts";
import { errorFields } from "../engine/error-fields.ts";
import { idAt } from "../engine/id-time.ts";
import type { StoreLog } from "../engine/log.ts";
import type { OneOf } from "../usage/generation-filter.ts";
import { beginningOf } from "./provider-errors.ts";
import type { RecordOptions } from "./record-options.ts";
import {
  type CountRow,
  KEPT,
  prepareWrite,
  readCounts,
  readRows,
  readSums,
  type SumForm,
} from "./refusal-rows.ts";

/** A request of a known account that was refused before it had a generation. */
export interface RefusedRequest {
  /** Begins with the time. */
  id: string;
  accountId: string;
  /** Absent for sessions. */
  keyId?: string;
  /** When it was refused, in ms. */
  at: number;
  /** The stable code of the refusal, and its status. */
  code: string;
  status: number;
  /** The sentence that the caller got. Absent where nothing of requests is kept. */
  sentence?: string;
  /** The name of the surface that received it. */
  surface: string;
  /** The model's name as the caller wrote it, if it was read. */
  model?: string;
  /** The id of the request. */
  request: string;
}

/** Conditions on refused requests, which must meet all of them; an absent member allows any. */
export interface RefusalFilter {
  /** Absent: all accounts. */
  accountId?: string;
  /** The ids of keys. */
  keyId?: OneOf<string>;
  /** The stable code of the refusal. */
  code?: string;
  /** The id of the request. */
  request?: string;
  /** The id of the batch of whose lines they are. */
  batch?: string;
  /** The names of models as callers wrote them. */
  model?: OneOf<string>;
  /** The name of the surface. */
  surface?: string;
  /** The first moment, in ms. */
  from?: number;
  /** The moment before which they were refused, in ms. */
  to?: number;
}

/** How many requests of a key were refused with a code in an hour. */
export interface RefusalCount {
  /** The first millisecond of the hour. */
  hour: number;
  keyId?: string;
  code: string;
  count: number;
}

/** Conditions that the counts have. */
export type CountFilter = Omit<RefusalFilter, "request" | "model" | "surface">;

/** How many requests were refused since a time, of one key or account if the counts are split. */
export interface RefusalSum {
  /** The beginning of the hour or day; 0 for the whole range. */
  at: number;
  /** The id of the key or the account; empty for sessions, and without a split. */
  name: string;
  /** The refused requests. */
  count: number;
}

/** Refused requests: the last thousand of each account, and counts of all of them by hour, key and code. */
export interface Refusals {
  /** Adds a request. It is written soon, with others; a crash may lose those of the last moments. */
  note(refused: Omit<RefusedRequest, "id">): void;
  /** Lists requests with ids below `before`, newest first. */
  list(filter: RefusalFilter, page: { before?: string; limit: number }): Promise<RefusedRequest[]>;
  /** The counts, in the order of time. */
  counts(filter: CountFilter): Promise<RefusalCount[]>;
  /** Sums of the counts, by hour or day or over the whole range. */
  sums(filter: CountFilter, as: SumForm): Promise<RefusalSum[]>;
  /** Deletes requests older than contents of requests are kept, and counts older than 400 days. */
  expire(now: number): Promise<void>;
  /** Writes all that is gathered, for the last time. */
  close(): Promise<void>;
}

/** The time for which refusals are gathered, in ms. */
const GATHER_MS = 500;
/** The most requests, and the most counts, that one process gathers; further requests are only counted. */
const MOST = 4_096;
/** The requests, and the counts, of one commit. */
const STEP = 128;
/** The most bytes of a sentence, and the most characters of a name. */
const SENTENCE = 1_000;
const NAME = 256;
const COUNTS_MS = 400 * DAY;

export function createRefusals(
  engine: Engine,
  { records, log }: { records: RecordOptions; log: StoreLog | undefined },
): Refusals {
  const put = prepareWrite(engine);
  /** The requests of each account that are to be written. */
  const waiting = new Map<string, RefusedRequest[]>();
  let size = 0;
  /** The counts of the present hour, and those of earlier ones that are to be written. */
  const counts = new Map<string, CountRow>();
  const changed = new Set<CountRow>();
  /**
   * The ids consist of the time, a random text of this process and a counter: a random text for each id would cost more
   * than all else.
   */
  const maker = randomBytes(6).toString("hex");
  let made = 0;
  let lost = 0;

  const countOne = ({ accountId: account, keyId: key = "", at, code }: Omit<RefusedRequest, "id">): void => {
    const hour = Math.floor(at / HOUR) * HOUR;
    const name = `${hour}\n${account}\n${key}\n${code}`;
    let row = counts.get(name);
    if (!row) {
      // Written counts can be dropped here: later refusals are counted under another part.
      if (counts.size >= MOST) for (const [old, one] of counts) if (!changed.has(one)) counts.delete(old);
      if (counts.size >= MOST) {
        lost += 1;
        return;
      }
      row = { account, hour, key, code, part: randomBytes(8).toString("hex"), count: 0 };
      counts.set(name, row);
    }
    row.count += 1;
    changed.add(row);
  };
  const deferred = createDeferredWrite(GATHER_MS, async () => {
    let isWritten = true;
    while (isWritten && (changed.size > 0 || waiting.size > 0)) {
      const rows = [...waiting.values()].flat();
      waiting.clear();
      size = 0;
      const sums = [...changed];
      changed.clear();
      for (let at = 0; isWritten && at < Math.max(rows.length, sums.length); at += STEP) {
        isWritten = await writeStep(rows.slice(at, at + STEP), sums.slice(at, at + STEP));
        if (isWritten) continue;
        // Each further step would only wait for the database once more.
        for (const row of sums.slice(at)) changed.add(row);
        lost += rows.slice(at).length;
      }
    }
    if (lost > 0) log?.warn({ count: lost }, "refused requests lost");
    lost = 0;
    return isWritten;
  });
  /** False if the database cannot be written to now. */
  const writeStep = async (rows: readonly RefusedRequest[], sums: readonly CountRow[]): Promise<boolean> => {
    try {
      const totals = sums.map((row) => ({ ...row }));
      await engine.write(() => put(rows, totals), { separate: true });
      return true;
    } catch (error) {
      log?.warn(errorFields(error), "refused requests not written");
      return false;
    }
  };

  return {
    note(refused) {
      countOne(refused);
      deferred.soon();
      let rows = waiting.get(refused.accountId);
      if (!rows) {
        rows = [];
        waiting.set(refused.accountId, rows);
      }
      // Of the thousands of one account, only the last are kept.
      if (rows.length >= KEPT) {
        rows.shift();
        size -= 1;
      } else if (size >= MOST) {
        lost += 1;
        return;
      }
      const { sentence, model, ...rest } = refused;
      rows.push({
        ...rest,
        id: idAt(refused.at) + maker + (made++).toString(16).padStart(8, "0"),
        ...(sentence !== undefined &&
          records.requests !== "none" && { sentence: beginningOf(sentence, SENTENCE) }),
        ...(model !== undefined && { model: model.slice(0, NAME) }),
      });
      size += 1;
    },
    async list(filter, page) {
      await deferred.catchUp();
      return engine.delayed(() => readRows(engine, filter, page));
    },
    async counts(filter) {
      await deferred.catchUp();
      return engine.delayed(() => readCounts(engine, filter));
    },
    async sums(filter, as) {
      await deferred.catchUp();
      return engine.delayed(() => readSums(engine, filter, as));
    },
    async expire(now) {
      const before = idAt(Math.max(0, now - records.days * DAY));
      await deleteRows(engine, { table: "refusals", key: ["id"], where: sql`id < ${before}` });
      await deleteRows(engine, {
        table: "hourly_refusals",
        key: ["account_id", "hour", "key_id", "code", "part"],
        where: sql`hour < ${now - COUNTS_MS}`,
      });
    },
    close: deferred.close,
  };
}
