import { describeFault } from "../engine/connect-hints.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import { StoreUnavailable } from "../engine/unavailable.ts";
import { countApplied, numberOf } from "./applied.ts";
import { batches } from "./batches.ts";
import { batchesByAge } from "./batches-by-age.ts";
import { cachedAnswers } from "./cached-answers.ts";
import { contents } from "./contents.ts";
import { declarations } from "./declarations.ts";
import { jobsByAge } from "./jobs-by-age.ts";
import { lastUse } from "./last-use.ts";
import { lateCharges } from "./late-charges.ts";
import { latencies } from "./latencies.ts";
import { type Migration, MigrationError } from "./migration.ts";
import { months } from "./months.ts";
import { refusals } from "./refusals.ts";
import { schema } from "./schema/schema.ts";
import { upstreamBatches } from "./upstream-batches.ts";

/**
 * The migrations, in order. New ones are added at the end, and none is ever changed. Processes of the previous version
 * still run while they are replaced, so a migration must not remove anything that their statements use.
 */
export const MIGRATIONS: readonly Migration[] = [
  ...[schema, contents, refusals, declarations],
  ...[lastUse, cachedAnswers, months, latencies, lateCharges, batches],
  ...[upstreamBatches, batchesByAge, jobsByAge],
];

/** The lock held while migrating, so that of several starting processes only one does the work. */
const LOCK = 7_305_801_440_212;

/**
 * Migrates the database to this program's version in one transaction. Throws `MigrationError` if a migration fails or
 * the database belongs to a newer or another program, and `StoreUnavailable` if it cannot be reached or the disk is
 * full; it is then unchanged. Tests pass other `migrations`.
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
    await engine.write(() => migration(engine, now, migrations, enter), { isUnlimited: true });
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    if (error instanceof StoreUnavailable) {
      if (current === undefined) throw error;
      const { cause } = error;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new StoreUnavailable(new Error(`${current} was undone: ${reason}`, { cause: error }));
    }
    const failed = current ?? "the list of migrations";
    throw new MigrationError(`${failed} failed: ${describeFault(error)}`, { cause: error });
  }
}

function* migration(
  { db, dialect }: Engine,
  now: number,
  migrations: readonly Migration[],
  enter: (name: string) => void,
): Work<void> {
  const { locks, definitions } = dialect;
  const execute = (text: string) => run({ sql: text, parameters: [] });

  if (locks.numbered) yield* run(locks.numbered(LOCK).compile(db));
  yield* execute(
    `CREATE TABLE IF NOT EXISTS migrations (number ${definitions.integer} PRIMARY KEY, name TEXT NOT NULL,
      applied_at ${definitions.integer} NOT NULL) ${definitions.strict}`,
  );
  const done = yield* run(db.selectFrom("migrations").select(["number", "name"]).orderBy("number"));
  const count = countApplied(done, migrations);
  for (const [index, { name, statements }] of migrations.entries()) {
    if (index < count) continue;
    const number = numberOf(index);
    enter(`migration ${number} "${name}"`);
    for (const statement of statements(definitions)) yield* execute(statement);
    yield* run(db.insertInto("migrations").values({ number, name, applied_at: now }));
  }
}

/** Checks whether a newer program has migrated the database since. */
export const isOutdated = ({ db, read }: Engine): Promise<boolean> =>
  read(function* () {
    const last = numberOf(MIGRATIONS.length - 1);
    const newer = db.selectFrom("migrations").select("number").where("number", ">", last);
    return (yield* run(newer.limit(1))).length > 0;
  });
