import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { accounts } from "./1-accounts.ts";
import { catalog } from "./2-catalog.ts";
import { logins } from "./3-logins.ts";
import { repeats } from "./4-repeats.ts";
import { jobs } from "./5-jobs.ts";
import { retention } from "./6-retention.ts";
import { corrections } from "./7-corrections.ts";
import { issuedIds } from "./8-issued-ids.ts";
import { attempts } from "./9-attempts.ts";
import { keptTexts } from "./10-kept-texts.ts";
import { auditLog } from "./11-audit-log.ts";
import { restrictions } from "./12-restrictions.ts";
import { keyStubs } from "./13-key-stubs.ts";
import { endedSessions } from "./14-ended-sessions.ts";
import { jobCourse } from "./15-job-course.ts";
import { leases } from "./16-leases.ts";
import { usageHours } from "./17-usage-hours.ts";
import { hourlyUsage } from "./18-hourly-usage.ts";
import { tags } from "./19-tags.ts";
import { makersOfIds } from "./20-makers-of-ids.ts";
import { outbox } from "./21-outbox.ts";
import { sumsByEntry } from "./22-sums-by-entry.ts";

/** The parts of definitions in which the dialects differ; all else of a migration is the same text. */
interface Spelling {
  /** The type of a 64-bit integer. */
  integer: string;
  /** The clause after a table's columns. */
  strict: string;
  /** The same for a table of short rows, which are stored in the primary key's index. */
  clustered: string;
  dialect: Engine["dialect"];
}

export interface Migration {
  name: string;
  statements(spelling: Spelling): string[];
}

/**
 * The migrations, in order; a migration's number is its position, counted from 1. New ones are added at the end, and
 * none is ever changed. Processes of the previous version still run while they are replaced, so a migration must not
 * remove anything that their statements use.
 */
export const MIGRATIONS: readonly Migration[] = [
  accounts,
  catalog,
  logins,
  repeats,
  jobs,
  retention,
  corrections,
  issuedIds,
  attempts,
  keptTexts,
  auditLog,
  restrictions,
  keyStubs,
  endedSessions,
  jobCourse,
  leases,
  usageHours,
  hourlyUsage,
  tags,
  makersOfIds,
  outbox,
  sumsByEntry,
];

/** The database cannot be used by this program; nothing was changed. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** The lock held while migrating, so that of several starting processes only one does the work. */
const LOCK = 7_305_801_440_212;

/**
 * Migrates the database to this program's version in one transaction. Throws `MigrationError` if a migration fails or
 * the database belongs to a newer or another program, and `StoreUnavailable` if it cannot be reached or the disk is
 * full; it is then unchanged. Tests pass fewer `migrations`.
 */
export async function migrate(
  engine: Engine,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  let current: string | undefined;
  const enter = (name: string) => {
    current = name;
  };
  try {
    await engine.write(() => migration(engine, now, migrations, enter), { patient: true });
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    if (error instanceof StoreUnavailable) {
      if (current === undefined) throw error;
      const { cause } = error;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new StoreUnavailable(new Error(`${current} was undone: ${reason}`, { cause: error }));
    }
    const failed = current ?? "the list of migrations";
    throw new MigrationError(`${failed} failed: ${(error as Error).message}`, { cause: error });
  }
}

export const spellingOf = (dialect: Engine["dialect"]): Spelling =>
  dialect === "sqlite"
    ? { dialect, integer: "INTEGER", strict: "STRICT", clustered: "STRICT, WITHOUT ROWID" }
    : { dialect, integer: "BIGINT", strict: "", clustered: "" };

function* migration(
  { db, dialect }: Engine,
  now: number,
  migrations: readonly Migration[],
  enter: (name: string) => void,
): Work<void> {
  const spelling = spellingOf(dialect);
  const execute = (text: string) => run({ sql: text, parameters: [] });

  if (dialect === "postgres") yield* run(sql`SELECT pg_advisory_xact_lock(${LOCK})`.compile(db));
  yield* execute(
    `CREATE TABLE IF NOT EXISTS migrations (number ${spelling.integer} PRIMARY KEY, name TEXT NOT NULL,
      applied_at ${spelling.integer} NOT NULL) ${spelling.strict}`,
  );
  const done = yield* run(db.selectFrom("migrations").select(["number", "name"]).orderBy("number"));
  for (const { number, name } of done) {
    const known = migrations[number - 1]?.name;
    if (known !== name)
      throw new MigrationError(
        `the database has migration ${number} "${name}", this program ${known === undefined ? `knows ${migrations.length}` : `has "${known}" there`}; use a program at least as new as the database`,
      );
  }
  for (const [index, { name, statements }] of migrations.entries()) {
    if (index < done.length) continue;
    enter(`migration ${index + 1} "${name}"`);
    for (const statement of statements(spelling)) yield* execute(statement);
    yield* run(db.insertInto("migrations").values({ number: index + 1, name, applied_at: now }));
  }
}

/** Checks whether a newer program has migrated the database since. */
export const isOutdated = ({ db, read }: Engine): Promise<boolean> =>
  read(function* () {
    const newer = db.selectFrom("migrations").select("number").where("number", ">", MIGRATIONS.length);
    return (yield* run(newer.limit(1))).length > 0;
  });
