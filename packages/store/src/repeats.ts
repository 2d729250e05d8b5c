import { sql } from "kysely";
import type { Engine } from "./engine/engine.ts";
import { first, param, prepare, run } from "./engine/statement.ts";
import type { Tables } from "./tables.ts";

/** A request as its caller named it, to be done at most once under that name. */
export interface RepeatRef {
  accountId: string;
  route: string;
  name: string;
}

export interface Repeatable extends RepeatRef {
  /** Tells two bodies apart. */
  bodyHash: string;
  /** The generation that the request becomes, if it is the first. */
  generationId: string;
  at: number;
}

/** An answer that can be given again. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What is known of a request that was sent before under the same name. */
export interface Repeated {
  bodyHash: string;
  generationId: string;
  /** `open` until it has its answer. */
  state: "open" | "done";
  /** Absent while it is open, and for answers that were not kept. */
  answer?: KeptAnswer;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** Requests that are not to be done twice. */
export interface Repeats {
  /** Takes the name, or tells what has it: of several at once, one gets nothing back and does the work. */
  begin(request: Repeatable): Promise<Repeated | undefined>;
  /** Notes that the request was answered; a later one of its name is told so, or given the answer. */
  end(ref: RepeatRef & { generationId: string; answer?: KeptAnswer }): Promise<void>;
  /** Frees the name where it still belongs to this generation. */
  forget(ref: RepeatRef & { generationId: string }): Promise<void>;
  /** Frees all names that were taken before `at`, in milliseconds since the epoch. */
  expire(at: number): Promise<void>;
}

export function createRepeats(engine: Engine): Repeats {
  const { db } = engine;
  const take = prepare<object, { name: string }>(
    db,
    sql`INSERT INTO repeats (account_id, route, name, body_hash, generation_id, state, created_at)
      VALUES (${param("accountId")}, ${param("route")}, ${param("name")}, ${param("bodyHash")},
        ${param("generationId")}, 'open', ${param("at")})
      ON CONFLICT (account_id, route, name) DO NOTHING RETURNING name`,
  );
  const select = prepare<RepeatRef, Tables["repeats"]>(
    db,
    db
      .selectFrom("repeats")
      .selectAll()
      .where("account_id", "=", param("accountId"))
      .where("route", "=", param("route"))
      .where("name", "=", param("name")),
  );
  const own = sql`account_id = ${param("accountId")} AND route = ${param("route")} AND name = ${param("name")}
    AND generation_id = ${param("generationId")}`;
  const keep = prepare<object>(
    db,
    sql`UPDATE repeats SET state = 'done', answer = ${param("answer")} WHERE ${own}`,
  );
  const free = prepare<object>(db, sql`DELETE FROM repeats WHERE ${own}`);

  return {
    begin: (request) =>
      engine.write(function* () {
        if ((yield* take(request)).length > 0) return undefined;
        const row = yield* first(select(request));
        // The echo of this very call, committed when its answer got lost.
        if (row === undefined || row.generation_id === request.generationId) return undefined;
        return {
          bodyHash: row.body_hash,
          generationId: row.generation_id,
          state: row.state,
          createdAt: row.created_at,
          ...(row.answer !== null && { answer: JSON.parse(row.answer) as KeptAnswer }),
        };
      }),
    end: ({ answer, ...ref }) =>
      engine.write(function* () {
        yield* keep({ ...ref, answer: answer === undefined ? null : JSON.stringify(answer) });
      }),
    forget: (ref) =>
      engine.write(function* () {
        yield* free(ref);
      }),
    expire: (at) =>
      engine.write(function* () {
        yield* run(db.deleteFrom("repeats").where("created_at", "<", at));
      }),
  };
}
