import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import { type JobKind, type JobRow, toJob } from "./job.ts";
import type { StoredJobs } from "./jobs.ts";

interface Statements {
  claim(values: object): Work<JobRow[]>;
  due(values: object): Work<{ at: number | null }[]>;
}

/**
 * Claims due jobs. The condition is part of the write as well as of the choice before it, so that of several workers
 * that chose the same job only one gets it. A server skips rows that another worker is just claiming.
 */
export function prepareClaim(engine: Engine): Pick<StoredJobs, "claim" | "nextDue"> {
  const { db, dialect } = engine;
  const prepared = new Map<string, Statements>();

  const prepareFor = (kinds: readonly JobKind[]): Statements => {
    const among = sql`kind IN (${sql.join(kinds.map((kind) => sql.lit(kind)))})`;
    const free = sql`ended_at IS NULL AND next_at <= ${param("now")} AND lease_until <= ${param("now")}`;
    return {
      // Choose the rows once: the database may repeat an inner query for each row, and choose others each time.
      claim: prepare<object, JobRow>(
        db,
        sql`WITH due AS MATERIALIZED (
            SELECT id FROM jobs WHERE ${free} AND ${among} ORDER BY next_at, id LIMIT ${param("most")} ${dialect.locks.skipLocked})
          UPDATE jobs SET owner = ${param("owner")}, lease_until = ${param("until")}, attempt = attempt + 1
          WHERE id IN (SELECT id FROM due) AND ${free} RETURNING *`,
      ),
      due: prepare<object, { at: number | null }>(
        db,
        sql`SELECT MIN(CASE WHEN lease_until > next_at THEN lease_until ELSE next_at END) AS at
          FROM jobs WHERE ended_at IS NULL AND ${among}`,
      ),
    };
  };
  const statements = (kinds: readonly JobKind[]): Statements => {
    const name = kinds.join();
    const known = prepared.get(name) ?? prepareFor(kinds);
    prepared.set(name, known);
    return known;
  };

  return {
    claim: (owner, { kinds, ...terms }) =>
      engine.write(function* () {
        const rows = yield* statements(kinds).claim({ ...terms, owner });
        return rows.map(toJob).sort((a, b) => a.nextAt - b.nextAt);
      }),
    nextDue: (kinds) =>
      engine.read(function* () {
        return (yield* first(statements(kinds).due({})))?.at ?? undefined;
      }),
  };
}
