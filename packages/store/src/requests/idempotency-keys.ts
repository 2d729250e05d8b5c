import { sql } from "kysely";
import { deleteRows } from "../engine/delete-rows.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import type { RecordOptions } from "./record-options.ts";

/** The name that a caller gave a request, under which it is done at most once. */
export interface RepeatRef {
  accountId: string;
  route: string;
  name: string;
}

/** A named request, before it is done. */
export interface Repeatable extends RepeatRef {
  /** A hash of the body, to detect another body under the same name. */
  bodyHash: string;
  /** The generation of the request, if it is the first of its name. */
  generationId: string;
  /** When it arrived, in ms. */
  at: number;
}

/** A stored answer, for repeated requests. */
export interface KeptAnswer {
  /** The HTTP status. */
  status: number;
  /** The headers that are repeated with it. */
  headers: Record<string, string>;
  /** The whole body, as text. */
  body: string;
}

/** The facts of an earlier request under the same name. */
export interface Repeated {
  /** The hash of its body: if that of the new request differs, the two are not the same. */
  bodyHash: string;
  /** The generation that it began. */
  generationId: string;
  /** `open` until the request is answered. */
  state: "open" | "done";
  /** Absent while the request is open, and if the answer was not kept. */
  answer?: KeptAnswer;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** Prevents a named request from being done twice. */
export interface Repeats {
  /** Takes the name, or returns the request that has it. Of several at once, only one gets `undefined`. */
  begin(request: Repeatable): Promise<Repeated | undefined>;
  /**
   * Records that the request was answered. A later one of the same name gets the answer, or a refusal if the answer was
   * not kept.
   */
  end(ref: RepeatRef & { generationId: string; answer?: KeptAnswer }): Promise<void>;
  /** Frees the name if it still belongs to this generation. */
  forget(ref: RepeatRef & { generationId: string }): Promise<void>;
  /** Frees all names that were taken before `at`, in milliseconds since the epoch. */
  expire(at: number): Promise<void>;
}

/** The stored answer of a freed name. */
type Freed = Pick<Tables["repeats"], "account_id" | "bytes">;

export function createRepeats(engine: Engine, { quota }: RecordOptions): Repeats {
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
  const ofGeneration = sql`account_id = ${param("accountId")} AND route = ${param("route")} AND name = ${param("name")}
    AND generation_id = ${param("generationId")}`;
  const keep = prepare<object, { name: string }>(
    db,
    sql`UPDATE repeats SET state = 'done', answer = ${param("answer")}, bytes = ${param("bytes")}
      WHERE ${ofGeneration} AND state = 'open' RETURNING name`,
  );
  const drop = prepare<object>(db, sql`UPDATE repeats SET answer = NULL, bytes = 0 WHERE ${ofGeneration}`);
  const free = prepare<object, Freed>(
    db,
    sql`DELETE FROM repeats WHERE ${ofGeneration} RETURNING account_id, bytes`,
  );
  const room = prepare<object, { id: string }>(
    db,
    sql`UPDATE accounts SET kept_bytes = kept_bytes + ${param("bytes")}
      WHERE id = ${param("accountId")} AND kept_bytes + ${param("bytes")} + (SELECT COALESCE(SUM(bytes), 0)
        FROM contents_kept WHERE account = accounts.id) <= ${sql.lit(quota)} RETURNING id`,
  );
  const lessen = prepare<{ account: string; bytes: number }>(
    db,
    sql`UPDATE accounts SET kept_bytes = CASE WHEN kept_bytes > ${param("bytes")}
      THEN kept_bytes - ${param("bytes")} ELSE 0 END WHERE id = ${param("account")}`,
  );
  function* giveBack(freed: readonly Freed[]): Work<void> {
    const accounts = new Map<string, number>();
    for (const { account_id: account, bytes } of freed)
      if (bytes > 0) accounts.set(account, (accounts.get(account) ?? 0) + bytes);
    for (const [account, bytes] of [...accounts].sort(([a], [b]) => (a < b ? -1 : 1)))
      yield* lessen({ account, bytes });
  }

  return {
    begin: (request) =>
      engine.write(function* () {
        if ((yield* take(request)).length > 0) return undefined;
        const row = yield* first(select(request));
        // This very call was committed before, and its answer was lost.
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
        const text = answer === undefined ? null : JSON.stringify(answer);
        const bytes = text === null ? 0 : Buffer.byteLength(text);
        const isKept = (yield* keep({ ...ref, answer: text, bytes })).length > 0;
        if (isKept && (yield* room({ accountId: ref.accountId, bytes })).length === 0) yield* drop(ref);
      }),
    forget: (ref) =>
      engine.write(function* () {
        yield* giveBack(yield* free(ref));
      }),
    expire: (at) =>
      deleteRows(engine, {
        table: "repeats",
        key: ["account_id", "route", "name"],
        where: sql`created_at < ${at}`,
        after: { columns: ["account_id", "bytes"], work: giveBack },
      }),
  };
}
