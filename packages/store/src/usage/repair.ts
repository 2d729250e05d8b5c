import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import { hoursOf } from "../migrations/18-hourly-usage.ts";
import { PACE_COLUMNS, SUMS } from "./tally.ts";

interface Finding {
  subject: string;
  expected: string;
  actual: string;
}

const COUNTED = [...SUMS, ...PACE_COLUMNS];
/** Every sum of an hour, as one text. */
const sumsOf = (row: string) =>
  sql.raw(COUNTED.map((name) => `CAST(${row}.${name} AS TEXT)`).join(" || ' ' || "));
const NOTHING = COUNTED.map(() => "0").join(" ");
const PARTS = ["account_id", "hour", "key_id", "model", "modality", "status"];

/** The sums of hours that are not those of their generations. */
export const differingHours = (dialect: Engine["dialect"]) =>
  sql<Finding>`SELECT * FROM (
      SELECT COALESCE(h.account_id, g.account_id) || ' ' || CAST(COALESCE(h.hour, g.hour) AS TEXT) AS subject,
        COALESCE(${sumsOf("g")}, ${sql.lit(NOTHING)}) AS expected,
        COALESCE(${sumsOf("h")}, ${sql.lit(NOTHING)}) AS actual
      FROM hourly_usage AS h FULL JOIN (${sql.raw(hoursOf(dialect))}) AS g
        ON ${sql.raw(PARTS.map((name) => `h.${name} = g.${name}`).join(" AND "))}) AS both_sides
    WHERE expected <> actual`;

/**
 * Writes the sums of all hours anew from the generations, where any of them differs, and gives how many did. They lack
 * what a process of an older version wrote while it was replaced; no money depends on them.
 */
export function createRepair(engine: Engine): () => Promise<number> {
  const { db, dialect } = engine;
  const execute = (text: string) => run({ sql: text, parameters: [] });
  return () =>
    engine.write(
      function* () {
        // Ends are written with their sums in one commit: without one in between, nothing is counted twice or lost.
        if (dialect === "postgres") yield* execute("LOCK TABLE hourly_usage IN SHARE ROW EXCLUSIVE MODE");
        const { length } = yield* run<Finding>(differingHours(dialect).compile(db));
        if (length === 0) return 0;
        yield* execute("DELETE FROM hourly_usage");
        yield* execute(`INSERT INTO hourly_usage ${hoursOf(dialect)}`);
        return length;
      },
      { patient: true },
    );
}
