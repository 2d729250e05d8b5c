import { sql } from "kysely";
import type { Engine, Undo, Work } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import type { Leases } from "../leases/leases.ts";
import { prepareEnd } from "../money/end.ts";
import type { Ending } from "../money/money.ts";
import { toHoldRequest } from "../money/reservation-values.ts";
import { needOf, prepareReserve, retryAfterRecall } from "../money/reserve.ts";
import type { Alerts } from "../outbox/alerts.ts";
import { toAmountFrom } from "../pricing/amount.ts";
import type { Contents } from "../requests/contents.ts";
import type { Latencies, NotedEnd } from "../usage/latencies.ts";
import { prepareLeased } from "./claim.ts";
import type { BatchLines, LineHeld } from "./lines.ts";

/** The end of a line that was run. */
export interface LineEnd {
  /** How it ended. */
  outcome: "succeeded" | "errored";
  /** The status of the answer. */
  status: number;
  /** The body of the answer, as JSON text on one line. */
  answer: string;
  /** The end of its generation. */
  ending: Omit<Ending, "id" | "accountId"> & { cost: number };
}

interface Around {
  owner: string;
  contents: Pick<Contents, "keep">;
  alerts: Alerts;
  latencies: Pick<Latencies, "note">;
}

/**
 * The holds and charges of lines. A line and its generation begin in one commit and end in one commit, so that every
 * stored answer is charged, and every charged answer is stored.
 */
export function prepareLineMoney(
  engine: Engine,
  leases: Leases,
  { owner, contents, alerts, latencies }: Around,
): Pick<BatchLines, "hold" | "finish" | "giveBack"> {
  const { db } = engine;
  const reserve = prepareReserve(engine);
  const end = prepareEnd(engine, { alerts });
  const isLeased = prepareLeased(engine);
  const isCancelled = prepare<{ id: string }, { id: string }>(
    db,
    sql`SELECT id FROM batches WHERE id = ${param("id")} AND cancelling_at IS NOT NULL`,
  );
  const begin = prepare<object, { number: number }>(
    db,
    sql`UPDATE batch_lines SET state = 'sent', generation_id = ${param("generation")}, upstream = ${param("upstream")}
      WHERE batch_id = ${param("id")} AND number = ${param("number")} AND (state = 'waiting' OR (state = 'sent'
        AND generation_id IN (${param("generation")}, ${param("instead")}))) RETURNING number`,
  );
  const ofGeneration = sql`batch_id = ${param("batch")} AND number = ${param("number")} AND state = 'sent'
    AND generation_id = ${param("generation")}`;
  const finish = prepare<object, { number: number }>(
    db,
    sql`UPDATE batch_lines SET state = ${param("outcome")}, status = ${param("status")}, answer = ${param("answer")}
      WHERE ${ofGeneration} RETURNING number`,
  );
  const giveBack = prepare<object, { number: number }>(
    db,
    sql`UPDATE batch_lines SET state = 'waiting', generation_id = NULL, tries = tries + ${param("interruptions")},
        direct = CASE WHEN EXISTS (SELECT 1 FROM upstream_batches u WHERE u.id = upstream) THEN 1 ELSE direct END,
        upstream = NULL
      WHERE ${ofGeneration} RETURNING number`,
  );

  return {
    async hold(ref, { number, instead, upstream = null }, reservation) {
      const held = toHoldRequest({ ...reservation, durable: true }, owner);
      const { id: generation, accountId } = reservation.generation;
      const values = { id: ref.id, number, generation, instead: instead ?? generation, upstream };
      const work = function* (): Work<LineHeld | Undo<LineHeld>> {
        const isFree = (yield* isLeased(ref)) && !(yield* first(isCancelled(ref)));
        if (!isFree || (yield* begin(values)).length === 0) return { ok: false, reason: "lost" };
        return yield* reserve.one(held);
      };
      const begun = await retryAfterRecall(
        leases,
        accountId,
        () => engine.write<LineHeld>(work, { account: accountId }),
        (refused) => needOf(held, refused),
      );
      if (begun.ok) contents.keep(reservation);
      return begun;
    },
    async finish({ accountId, ...line }, { ending, ...answer }) {
      toAmountFrom(0, ending.cost, "cost");
      const ended = await engine.write(
        function* (): Work<NotedEnd | true | undefined> {
          if ((yield* finish({ ...line, ...answer })).length === 0) return undefined;
          const [done] = yield* end([{ ...ending, id: line.generation }]);
          if (done?.ended.outcome === "written" && done.entry)
            return { id: line.generation, entry: done.entry, route: ending.route };
          // It may have ended already, at no cost, if there was no credit for a fallback.
          if (ending.cost === 0) return true;
          throw new Error(`the generation of line ${line.number} of batch "${line.batch}" is not pending`);
        },
        { account: accountId },
      );
      if (typeof ended === "object") latencies.note(ended);
      return ended !== undefined;
    },
    async giveBack(ref, { accountId, ...line }, ending) {
      const ended = await engine.write(
        function* (): Work<NotedEnd | boolean> {
          const given = { ...line, interruptions: ending ? 0 : 1 };
          if (!(yield* isLeased(ref)) || (yield* giveBack(given)).length === 0) return false;
          const [done] = yield* end([{ status: "failed", ...ending, id: line.generation, cost: 0 }]);
          // It may have ended already, when a fallback was tried.
          if (done?.ended.outcome !== "written" || !done.entry) return true;
          return { id: line.generation, entry: done.entry, route: ending?.route };
        },
        { account: accountId },
      );
      if (typeof ended === "object") latencies.note(ended);
      return ended !== false;
    },
  };
}
