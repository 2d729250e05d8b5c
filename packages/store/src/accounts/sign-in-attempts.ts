import { sql } from "kysely";
import { deleteRows } from "../engine/delete-rows.ts";
import type { Engine } from "../engine/engine.ts";
import { first, param, prepare, run } from "../engine/statement.ts";

/** The limits on attempts; times in milliseconds. */
export interface AttemptPolicy {
  /** The number of tries without a wait. */
  free: number;
  /** The pause after the last free try. Each further try doubles it. */
  pause: number;
  /** The most that a pause grows to. */
  longest: number;
  /** The time after which one try is forgotten. */
  decay: number;
}

/** Counts tries over all processes. */
export interface Attempts {
  /** Returns the milliseconds until the next try is allowed; 0 if this one is, which is then counted. */
  take(subject: string, policy: AttemptPolicy, at: number): Promise<number>;
  /** Takes back an allowed try, and the pause after it. */
  giveBack(subject: string, at: number): Promise<void>;
  /** Forgets the tries of a subject, and trusts it until `until`. */
  trust(subject: string, at: number, until: number): Promise<void>;
  /** Checks whether a subject is trusted. */
  isTrusted(subject: string, at: number): Promise<boolean>;
  /** Forgets tries and trust that have expired by `at`. */
  expire(at: number): Promise<void>;
}

export function createAttempts(engine: Engine): Attempts {
  const { db } = engine;
  // SQLite binds parameters as fractions, so quotients are converted to integers.
  const add = prepare<object, { count: number }>(
    db,
    sql`INSERT INTO attempts (subject, count, next_at, updated_at, kept_until)
      VALUES (${param("subject")}, 1, ${param("at")}, ${param("at")}, ${param("until")})
      ON CONFLICT (subject) DO UPDATE SET
        count = 1 + CASE
          WHEN attempts.updated_at + attempts.count * ${param("decay")} <= ${param("at")} THEN 0
          ELSE attempts.count - CAST((${param("at")} - attempts.updated_at) / ${param("decay")} AS INTEGER) END,
        next_at = excluded.next_at, updated_at = excluded.updated_at,
        kept_until = CASE WHEN attempts.kept_until > excluded.kept_until
          THEN attempts.kept_until ELSE excluded.kept_until END
      WHERE attempts.next_at <= excluded.next_at RETURNING count`,
  );
  const pause = prepare<object>(
    db,
    sql`UPDATE attempts SET next_at = ${param("next")} WHERE subject = ${param("subject")}`,
  );
  const next = prepare<object, { next_at: number }>(
    db,
    sql`SELECT next_at FROM attempts WHERE subject = ${param("subject")}`,
  );
  return {
    take: (subject, policy, at) =>
      engine.write(function* () {
        const until = at + policy.longest + policy.decay * (policy.free + 1);
        const added = yield* first(add({ subject, at, until, decay: policy.decay }));
        if (!added) {
          const refused = yield* first(next({ subject }));
          return Math.max(1, (refused?.next_at ?? at) - at);
        }
        const beyond = added.count - policy.free;
        if (beyond >= 0) {
          const wait = Math.min(policy.longest, policy.pause * 2 ** Math.min(beyond, 30));
          yield* pause({ subject, next: at + wait });
        }
        return 0;
      }),
    giveBack: (subject, at) =>
      engine.write(function* () {
        yield* run(
          db
            .updateTable("attempts")
            .set((row) => ({ count: row("count", "-", 1), next_at: at }))
            .where("subject", "=", subject)
            .where("count", ">", 0),
        );
      }),
    trust: (subject, at, until) =>
      engine.write(function* () {
        const row = { count: 0, next_at: at, updated_at: at, kept_until: until };
        yield* run(
          db
            .insertInto("attempts")
            .values({ subject, ...row })
            .onConflict((on) => on.column("subject").doUpdateSet(row)),
        );
      }),
    isTrusted: (subject, at) =>
      engine.read(function* () {
        const found = db.selectFrom("attempts").select("subject").where("subject", "=", subject);
        return (yield* run(found.where("kept_until", ">", at))).length > 0;
      }),
    expire: (at) =>
      deleteRows(engine, { table: "attempts", key: ["subject"], where: sql`kept_until < ${at}` }),
  };
}
