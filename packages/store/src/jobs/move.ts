import { type RawBuilder, sql } from "kysely";
import { type Engine, Undo, type Work } from "../engine/engine.ts";
import { toColumn, toReadableColumn } from "../engine/json-columns.ts";
import { param, prepare } from "../engine/statement.ts";
import type { Leases } from "../leases/leases.ts";
import type { Need } from "../leases/read-leases.ts";
import type { Reservation } from "../money/money.ts";
import { retryAfterRecall } from "../money/reserve.ts";
import { prepareResizeHold } from "../money/resize-hold.ts";
import { toAmountFrom } from "../pricing/amount.ts";
import type { Job } from "./job.ts";
import type { StoredJobs } from "./jobs.ts";

/** The move of a job to another entry. */
export interface JobMove extends Required<Pick<Job, "entry" | "price" | "estimate">> {
  at: number;
  course?: Job["course"];
  /** The temporary failures that are counted from the start. */
  tries: number;
  /** The new amount to hold, checked by the policy of its reservation. */
  amount: number;
  policy: Reservation["policy"];
  /** The route for its generation's record. */
  route?: Reservation["generation"]["route"];
}

/** The result of moving a job. `lost`: this worker no longer holds its lease. The others refuse the hold. */
export type Moved = { ok: true } | { ok: false; reason: "lost" | "balance" | "cap" };

/** The work of moving a job; `ofWorker` is the condition that a worker may write it. */
export function prepareMove(
  engine: Engine,
  leases: Leases,
  ofWorker: RawBuilder<unknown>,
): Pick<StoredJobs, "move"> {
  const rehold = prepareResizeHold(engine);
  const go = prepare<object, { id: string }>(
    engine.db,
    sql`UPDATE jobs SET entry = ${param("entry")}, price = ${param("price")}, estimate = ${param("estimate")},
        course = ${param("course")}, phase = 'unsent', state = 'queued', result = NULL, tries = ${param("tries")},
        next_at = ${param("at")}, lease_until = 0, updated_at = ${param("at")}
      WHERE ${ofWorker} AND phase IN ('unsent', 'sending') RETURNING id`,
  );
  return {
    move(ref, { at, entry, price, estimate, course, tries, amount, policy, route }) {
      const columns = {
        entry: JSON.stringify(entry),
        price: toColumn(price),
        estimate: toColumn(estimate),
        course: toColumn(course),
      };
      const hold = {
        amount: toAmountFrom(0, amount, "amount"),
        policy,
        price: columns.price,
        route: toReadableColumn(route),
      };
      let need: Need | undefined;
      const move = function* (): Work<Moved | Undo<Moved>> {
        if ((yield* go({ ...ref, ...columns, at, tries })).length === 0) return { ok: false, reason: "lost" };
        const inTheWay = yield* rehold({ ...hold, id: ref.id });
        need = inTheWay?.need;
        return inTheWay ? new Undo({ ok: false, reason: inTheWay.reason }) : { ok: true };
      };
      const { accountId: account } = ref;
      return retryAfterRecall(
        leases,
        account,
        () => engine.write<Moved>(move, { account }),
        () => need,
      );
    },
  };
}
