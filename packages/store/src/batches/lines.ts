import { sql } from "kysely";
import { deleteRows } from "../engine/delete-rows.ts";
import type { Engine } from "../engine/engine.ts";
import { param, prepare, run } from "../engine/statement.ts";
import type { Ending, Reservation, Reserved } from "../money/money.ts";
import type { BatchRef, LineCounts, LineOutcome } from "./batch.ts";
import { prepareLeased } from "./claim.ts";
import type { LineEnd } from "./line-money.ts";

/** A line of a batch. */
export interface BatchLine {
  /** Its number in the file, from 1. */
  number: number;
  /** Its place in the file, in bytes. */
  start: number;
  /** Its bytes without the end of the line. */
  length: number;
  /** The name that its caller gave it. Absent for a line that has none. */
  customId?: string;
  /** How often it was interrupted. */
  tries: number;
  /** True after an upstream batch did not answer it: it is sent alone then. */
  isDirect: boolean;
}

/** A line to add. A line with an answer has failed already, and is not run. */
export type NewLine = Omit<BatchLine, "tries" | "isDirect"> & { answer?: string; status?: number };

/** A line that has ended. */
export interface EndedLine {
  /** Its number in the file, from 1. */
  number: number;
  /** The name that its caller gave it. */
  customId?: string;
  /** How it ended. */
  outcome: LineOutcome;
  /** The status of the answer. Absent for a line that was not run. */
  status?: number;
  /** The body of the answer, or the error of a line that was not run. */
  answer?: string;
}

/** The lines of a batch that are read together after they have ended. */
export interface EndedPage {
  /** The number of the last line of the page before, or 0. */
  after: number;
  outcomes: readonly LineOutcome[];
  most: number;
  bytes: number;
}

/** A line that was sent, with the generation for its answer. */
export interface SentLine {
  /** The id of its batch. */
  batch: string;
  /** Its number in the file, from 1. */
  number: number;
  /** The id of the generation. */
  generation: string;
}

/** A line of an upstream batch. `isEnded`: it has its answer. */
export type LineUpstream = Pick<BatchLine, "number" | "start" | "length"> &
  Pick<SentLine, "generation"> & { isEnded: boolean };

/** The result of a hold. `lost`: the lease is lost, the batch is cancelled, or the line has ended. */
export type LineHeld = Reserved | { ok: false; reason: "lost" };

/** The lines of batches that run, each with its own generation. */
export interface BatchLines {
  /** Adds lines that were read; existing lines do not change. False if the lease is lost. */
  add(ref: BatchRef, lines: readonly NewLine[]): Promise<boolean>;
  /** The first waiting lines after a given line. */
  waiting(batch: string, page: { after: number; most: number }): Promise<BatchLine[]>;
  /** The sent lines that are in no running upstream batch. `isReturned`: an upstream batch had it. */
  sent(batch: string): Promise<(SentLine & { isReturned: boolean })[]>;
  /** The lines of an upstream batch, including those that it has answered. */
  sentWith(upstream: string): Promise<LineUpstream[]>;
  /**
   * Records the generation for a line's answer, in one commit with its hold, which outlives this process. `instead` is
   * an ended generation of the line that the new one replaces, `upstream` the upstream batch of the line.
   */
  hold(
    ref: BatchRef,
    line: { number: number; instead?: string; upstream?: string },
    reservation: Reservation,
  ): Promise<LineHeld>;
  /**
   * Ends a sent line, in one commit with its generation and charge. False, and nothing is charged, if the line no
   * longer belongs to this generation.
   */
  finish(line: SentLine & { accountId: string }, end: LineEnd): Promise<boolean>;
  /**
   * Releases the hold of a sent line, which waits again. Without an `ending` it counts as interrupted. False if the
   * line does not belong to this generation, or the lease is lost: another worker may have the line then.
   */
  giveBack(
    ref: BatchRef,
    line: SentLine & { accountId: string },
    ending?: Partial<Omit<Ending, "id" | "accountId">>,
  ): Promise<boolean>;
  /** Ends a waiting line with an error. False if it does not wait, or the lease is lost. */
  refuse(ref: BatchRef, line: { number: number; status?: number; answer: string }): Promise<boolean>;
  /** The waiting lines that were interrupted at least `tries` times. */
  interrupted(batch: string, tries: number): Promise<{ number: number }[]>;
  /** Ends at most `most` waiting lines without running them. Resolves to their number. */
  drop(ref: BatchRef, outcome: "cancelled" | "expired", most: number): Promise<number>;
  /**
   * The first lines after `after` with one of these outcomes: at most `most`, and no more once their answers reach
   * `bytes`. Empty only if there are none.
   */
  ended(batch: string, page: EndedPage): Promise<EndedLine[]>;
  /** The number of its lines by their state. */
  counts(batch: string): Promise<LineCounts>;
  /** The number of the lines of several batches by their state, in the order of the batches. */
  countsOf(batches: readonly string[]): Promise<LineCounts[]>;
  /** Removes the lines of a batch that has ended. */
  sweep(batch: string, signal?: AbortSignal): Promise<void>;
}

const none: LineCounts = { waiting: 0, sent: 0, succeeded: 0, errored: 0, cancelled: 0, expired: 0 };

export function createBatchLines(
  engine: Engine,
  money: Pick<BatchLines, "hold" | "finish" | "giveBack">,
): BatchLines {
  const { db } = engine;
  const isLeased = prepareLeased(engine);
  const refuse = prepare<object, { number: number }>(
    db,
    sql`UPDATE batch_lines SET state = 'errored', status = ${param("status")}, answer = ${param("answer")}
      WHERE batch_id = ${param("id")} AND number = ${param("number")} AND state = 'waiting' RETURNING number`,
  );
  const drop = prepare<object, { number: number }>(
    db,
    sql`UPDATE batch_lines SET state = ${param("outcome")} WHERE batch_id = ${param("id")} AND number IN
        (SELECT number FROM batch_lines WHERE batch_id = ${param("id")} AND state = 'waiting'
          ORDER BY number LIMIT ${param("most")}) AND state = 'waiting' RETURNING number`,
  );
  const countsOf: BatchLines["countsOf"] = (batches) =>
    engine.read(function* () {
      if (batches.length === 0) return [];
      const counted = sql<number>`count(*)`.as("count");
      const rows = yield* run(
        db
          .selectFrom("batch_lines")
          .select(["batch_id", "state", counted])
          .where("batch_id", "in", batches)
          .groupBy(["batch_id", "state"]),
      );
      const of = Map.groupBy(rows, (row) => row.batch_id);
      return batches.map((batch) => ({
        ...none,
        ...Object.fromEntries((of.get(batch) ?? []).map(({ state, count }) => [state, Number(count)])),
      }));
    });
  return {
    ...money,
    add: (ref, lines) =>
      engine.write(function* () {
        if (!(yield* isLeased(ref))) return false;
        const rows = lines.map(({ number, start, length, customId, answer, status }) => ({
          batch_id: ref.id,
          ...{ number, start, length },
          custom_id: customId ?? null,
          state: answer === undefined ? "waiting" : "errored",
          generation_id: null,
          tries: 0,
          status: status ?? null,
          answer: answer ?? null,
          upstream: null,
          direct: 0,
        }));
        if (rows.length > 0)
          yield* run(
            db
              .insertInto("batch_lines")
              .values(rows)
              .onConflict((on) => on.doNothing()),
          );
        return true;
      }),
    waiting: (batch, { after, most }) =>
      engine.read(function* () {
        const rows = yield* run(
          db
            .selectFrom("batch_lines")
            .select(["number", "start", "length", "custom_id", "tries", "direct"])
            .where("batch_id", "=", batch)
            .where("state", "=", "waiting")
            .where("number", ">", after)
            .orderBy("number")
            .limit(most),
        );
        return rows.map(({ custom_id: customId, direct, ...line }) => ({
          ...{ ...line, isDirect: direct === 1 },
          ...(customId !== null && { customId }),
        }));
      }),
    sent: (batch) =>
      engine.read(function* () {
        const begun = db
          .selectFrom("batch_lines")
          .leftJoin("upstream_batches", "upstream_batches.id", "batch_lines.upstream")
          .select(["number", "generation_id", "upstream_batches.id as with"])
          .where("batch_lines.batch_id", "=", batch)
          .where("state", "=", "sent")
          .where((row) =>
            row.or([
              row("upstream_batches.id", "is", null),
              row("upstream_batches.ended_at", "is not", null),
            ]),
          )
          .orderBy("number");
        return (yield* run(begun)).map(({ number, generation_id: generation, with: upstream }) => ({
          ...{ batch, number, isReturned: upstream !== null },
          generation: generation!,
        }));
      }),
    sentWith: (upstream) =>
      engine.read(function* () {
        const rows = db
          .selectFrom("batch_lines")
          .select(["number", "start", "length", "generation_id", "state"])
          .where("upstream", "=", upstream)
          .orderBy("number");
        return (yield* run(rows)).map(({ generation_id: generation, state, ...line }) => ({
          ...{ ...line, isEnded: state !== "sent" },
          generation: generation!,
        }));
      }),
    refuse: (ref, { number, status, answer }) =>
      engine.write(function* () {
        if (!(yield* isLeased(ref))) return false;
        return (yield* refuse({ id: ref.id, number, status: status ?? null, answer })).length > 0;
      }),
    interrupted: (batch, tries) =>
      engine.read(function* () {
        const waiting = db.selectFrom("batch_lines").select("number").where("batch_id", "=", batch);
        return yield* run(waiting.where("state", "=", "waiting").where("tries", ">=", tries));
      }),
    drop: (ref, outcome, most) =>
      engine.write(function* () {
        return (yield* isLeased(ref)) ? (yield* drop({ id: ref.id, outcome, most })).length : 0;
      }),
    ended: (batch, { after, outcomes, most, bytes }) =>
      engine.read(function* () {
        const chosen = db
          .selectFrom("batch_lines")
          .where("batch_id", "=", batch)
          .where("number", ">", after)
          .where("state", "in", outcomes);
        const lengths = chosen
          .select(["number", sql<number>`coalesce(octet_length(answer), 0)`.as("length")])
          .orderBy("number")
          .limit(most);
        // The sizes are read first, and then only as many answers as fit.
        let sum = 0;
        let last = after;
        for (const { number, length } of yield* run(lengths)) {
          if (sum >= bytes) break;
          sum += length;
          last = number;
        }
        const rows = yield* run(
          chosen
            .select(["number", "custom_id", "state", "status", "answer"])
            .where("number", "<=", last)
            .orderBy("number"),
        );
        return rows.map(({ number, custom_id: customId, state, status, answer }) => ({
          number,
          ...(customId !== null && { customId }),
          outcome: state as LineOutcome,
          ...(status !== null && { status }),
          ...(answer !== null && { answer }),
        }));
      }),
    counts: async (batch) => (await countsOf([batch]))[0]!,
    countsOf,
    async sweep(batch, signal) {
      const where = sql`batch_id = ${batch}`;
      await deleteRows(engine, {
        ...{ table: "batch_lines", key: ["batch_id", "number"], where, most: 500, signal },
      });
    },
  };
}
