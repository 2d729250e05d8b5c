import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { prepareArchivedMonth } from "../archive/removed.ts";
import { prepareAdd } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { errorFields } from "../engine/error-fields.ts";
import type { StoreLog } from "../engine/log.ts";
import type { Month } from "../engine/month.ts";
import { run } from "../engine/statement.ts";
import { StoreUnavailable } from "../engine/unavailable.ts";
import { readTrace, type Trace, type TracedCall } from "../leases/call-trace.ts";
import type { Alerts } from "../outbox/alerts.ts";
import { windowsOf } from "../pricing/cap-windows.ts";
import { type WrittenValues, writtenBy } from "../usage/generation-columns.ts";
import { prepareTally } from "../usage/tally.ts";
import { toEntry } from "./end.ts";

/** A record that begins and ends at once. */
type WholeValues = WrittenValues<"begin"> & WrittenValues<"end">;

/** What became of lost calls. */
interface Recorded {
  /** The ids of those that have a record now. */
  written: string[];
  /** Those of archived months, which get none. */
  late: { generation: string; month: Month }[];
}

const PAGE = 500;

export interface TracedOptions {
  /** The folder that contains the traces. */
  folder: string;
  /** The state of an owner's process. A `silent` one counts as dead but may go on. */
  stateOf(owner: string, now: number): Work<"alive" | "silent" | "dead">;
  log: StoreLog | undefined;
  alerts: Alerts;
}

/**
 * Records calls of dead processes that went out but are missing in the database: as failed, at no cost, with the mark
 * `recovered`. Resolves to their number.
 */
export function createTracedRecovery(
  engine: Engine,
  { folder, stateOf, log, alerts }: TracedOptions,
): (now: number) => Promise<number> {
  const { db } = engine;
  const add = prepareAdd(engine, "generations", writtenBy("begin", "end"));
  const tally = prepareTally(engine);
  const archivedMonth = prepareArchivedMonth(engine);
  /** Each file's modification time when its calls were recorded. */
  const done = new Map<string, number>();

  const missing = async (calls: readonly TracedCall[]): Promise<TracedCall[]> => {
    const ids = calls.map(({ id }) => id);
    const rows = db.selectFrom("generations").select("id").where("id", "in", ids);
    const known = new Set((await engine.read(() => run(rows))).map(({ id }) => id));
    return calls.filter(({ id }) => !known.has(id));
  };

  const record = (calls: readonly TracedCall[], now: number): Promise<Recorded> =>
    engine.write(function* () {
      const rows: ReturnType<typeof toRow>[] = [];
      const late: Recorded["late"] = [];
      // The records of an archived month are complete.
      for (const call of calls) {
        const archived = yield* archivedMonth(call.at);
        if (archived) late.push({ generation: call.id, month: archived.month });
        else rows.push(toRow(call, now));
      }
      const added = yield* add(rows);
      const written = rows.filter(({ id }) => added.has(id));
      for (const row of written) {
        yield* alerts.orphaned(row.id, row, { cost: 0, at: row.at + row.duration });
      }
      yield* tally(written.map((row) => toEntry({ ...row, entry: null }, { ...row, counts: {} })));
      return { written: written.map(({ id }) => id), late };
    });

  const recordAll = async ({ owner, calls }: Trace, now: number): Promise<number> => {
    let count = 0;
    for (let at = 0; at < calls.length; at += PAGE) {
      const left = await missing(calls.slice(at, at + PAGE));
      if (left.length === 0) continue;
      const { written, late } = await record(left, now);
      count += written.length;
      for (const generation of written)
        log?.warn({ generation, owner }, "call of a dead process was not recorded");
      for (const one of late)
        log?.warn({ ...one, owner }, "call of a dead process has no record: its month is archived");
    }
    return count;
  };

  const recoverFile = async (path: string, now: number): Promise<number> => {
    const { mtimeMs } = await stat(path);
    const trace = readTrace(await readFile(path, "utf8"));
    const state = trace && (await engine.read(() => stateOf(trace.owner, now)));
    if (!trace || state === "alive") return 0;
    const count = done.get(path) === mtimeMs ? 0 : await recordAll(trace, now);
    done.set(path, mtimeMs);
    if (state === "dead") {
      await Promise.all([path, `${path}.next`].map((file) => rm(file, { force: true })));
      done.delete(path);
    }
    return count;
  };

  /** Skips a file that cannot be read, so that the others are still recovered. */
  const skipFile = (file: string, error: unknown): number => {
    if (error instanceof StoreUnavailable) throw error;
    // Another process may have recovered and removed the file.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      log?.warn({ file, ...errorFields(error) }, "calls of a dead process could not be read");
    return 0;
  };

  return async (now) => {
    const names = await readdir(folder).catch((error: unknown) => {
      skipFile(folder, error);
      return [] as string[];
    });
    let count = 0;
    for (const name of names.filter((one) => one.endsWith(".calls"))) {
      const path = join(folder, name);
      count += await recoverFile(path, now).catch((error: unknown) => skipFile(path, error));
    }
    return count;
  };
}

/** The record of a call whose outcome is unknown. */
const toRow = (call: TracedCall, now: number): WholeValues & { duration: number } => ({
  ...call,
  ...windowsOf(call.at),
  ...{ status: "failed", cost: 0, usage: JSON.stringify({ recovered: true }), route: null, batch: null },
  ...{ owner: null, lease: null, held: 0, leased: 0, dispatched: call.at },
  duration: Math.max(0, now - call.at),
});
