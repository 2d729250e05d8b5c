import { sql } from "kysely";
import {
  type Column,
  columnNames,
  integers,
  prepareAdd,
  prepareEach,
  prepareSums,
  texts,
} from "../engine/bulk-statements.ts";
import { deleteRows } from "../engine/delete-rows.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { param, prepare, run } from "../engine/statement.ts";
import type { Part } from "./parts.ts";
import type { FailedCall, FailureCount, ServedEntry } from "./provider-calls.ts";

/** The failed calls of a provider that are kept. */
export const KEPT_FAILURES = 200;

/** The calls of an entry in an hour that this process made. */
export interface FailurePart extends Part, FailureCount {}

const CALLS: readonly Column[] = [...integers("hour"), ...texts("entry", "part")];
const COUNTS = integers("retried", "failed");
const ENTRY = texts("entry", "provider", "name", "model");
const FAILED: readonly Column[] = [
  ...texts("id", "provider", "entry"),
  ["account_id", "accountId", "TEXT"],
  ...texts("generation", "model"),
  ...integers("attempt"),
  ["created_at", "createdAt", "BIGINT"],
  ["failed_at", "at", "BIGINT"],
  ...integers("status"),
  ...texts("fault"),
];

/** The calls and entries to write. */
export interface ProviderNews {
  calls: readonly FailurePart[];
  failures: readonly FailedCall[];
  served: readonly ServedEntry[];
}

/** The work of writing them. Returns the parts whose rows are gone. Repeating the work changes nothing more. */
export function prepareWriteFailures(engine: Engine): (news: ProviderNews) => Work<FailurePart[]> {
  const all = [...CALLS, ...COUNTS];
  const counts = sql`retried = excluded.retried, failed = excluded.failed`;
  const add = prepareEach(
    engine,
    all,
    (value, from) => sql`INSERT INTO hourly_failures (${columnNames(all)})
      SELECT ${sql.join(all.map(([, member]) => value(member)))} ${from} WHERE TRUE
      ON CONFLICT (${columnNames(CALLS)}) DO UPDATE SET ${counts}`,
  );
  const change = prepareEach<{ part: string }>(
    engine,
    all,
    (
      value,
      from,
    ) => sql`UPDATE hourly_failures SET retried = ${value("retried")}, failed = ${value("failed")} ${from}
      WHERE hourly_failures.hour = ${value("hour")} AND hourly_failures.entry = ${value("entry")}
        AND hourly_failures.part = ${value("part")} RETURNING hourly_failures.part AS part`,
  );
  const serve = prepareEach(
    engine,
    ENTRY,
    (value, from) => sql`INSERT INTO served_entries (${columnNames(ENTRY)})
      SELECT ${sql.join(ENTRY.map(([, member]) => value(member)))} ${from} WHERE TRUE ON CONFLICT DO NOTHING`,
  );
  const fail = prepareAdd(engine, "failed_calls", FAILED);
  const trim = prepare<{ provider: string }>(
    engine.db,
    sql`DELETE FROM failed_calls WHERE provider = ${param("provider")} AND id < (SELECT id FROM failed_calls
      WHERE provider = ${param("provider")} ORDER BY id DESC LIMIT 1 OFFSET ${sql.lit(KEPT_FAILURES - 1)})`,
  );
  return function* ({ calls, failures, served }) {
    yield* serve(served);
    yield* fail(failures.map((one) => ({ ...one, status: one.status ?? null, fault: one.fault ?? null })));
    // Sorted, so that two processes lock rows in the same order.
    for (const provider of [...new Set(failures.map(({ provider }) => provider))].sort())
      yield* trim({ provider });
    yield* add(calls.filter(({ isWritten }) => !isWritten));
    const written = calls.filter(({ isWritten }) => isWritten);
    const found = new Set((yield* change(written)).map(({ part }) => part));
    return written.filter(({ part }) => !found.has(part));
  };
}

/** Merges the parts of hours before a time. */
export async function mergeFailures(engine: Engine, before: number): Promise<void> {
  const add = prepareSums(engine, "hourly_failures", CALLS, COUNTS);
  await deleteRows(engine, {
    table: "hourly_failures",
    key: ["hour", "entry", "part"],
    where: sql`part <> '' AND hour < ${before}`,
    after: {
      columns: ["hour", "entry", "retried", "failed"],
      *work(rows) {
        const sums = new Map<string, (typeof rows)[number]>();
        for (const row of rows) {
          const place = `${row.hour} ${row.entry}`;
          const sum = sums.get(place);
          if (sum) {
            sum.retried += row.retried;
            sum.failed += row.failed;
          } else sums.set(place, { ...row });
        }
        yield* add([...sums.values()].map((sum) => ({ ...sum, part: "" })));
      },
    },
  });
}

/** The work of reading the calls of a range, by hour and entry. */
export const readFailureCounts = (
  { db }: Engine,
  { from, to }: { from: number; to: number },
): Work<FailureCount[]> =>
  run(
    db
      .selectFrom("hourly_failures")
      .where("hour", ">=", from)
      .where("hour", "<", to)
      .select(["hour", "entry"])
      .select((row) => [
        sql<number>`CAST(SUM(${row.ref("retried")}) AS BIGINT)`.as("retried"),
        sql<number>`CAST(SUM(${row.ref("failed")}) AS BIGINT)`.as("failed"),
      ])
      .groupBy(["hour", "entry"])
      .orderBy("hour")
      .orderBy("entry"),
  );

/** The work of reading the last failed calls of a provider, newest first. */
export function* readFailures({ db }: Engine, provider: string, limit: number): Work<FailedCall[]> {
  const rows = yield* run(
    db
      .selectFrom("failed_calls")
      .selectAll()
      .where("provider", "=", provider)
      .orderBy("id", "desc")
      .limit(limit),
  );
  return rows.map(({ account_id, created_at, failed_at, status, fault, ...row }) => ({
    ...row,
    ...{ accountId: account_id, createdAt: created_at, at: failed_at },
    ...(status !== null && { status }),
    ...(fault !== null && { fault }),
  }));
}
