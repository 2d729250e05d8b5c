import { sql } from "kysely";
import { REVENUE } from "../accounts.ts";
import { CAPS, type Caps } from "../caps.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import type { Asked } from "../money/asked.ts";
import { ENDED, type EndValues, SPEND } from "../money/end.ts";
import { prepareKeep } from "../money/keep.ts";
import { prepareLate } from "../money/late.ts";
import type { Ended } from "../money/money.ts";
import type { RecordOptions } from "../record-options.ts";

export type Values = Asked["values"];

/** The row of a lease as its process knows it. */
export interface LeaseRow {
  id: string;
  account: string;
  key: string | null;
  daily: string;
  weekly: string;
  monthly: string;
  owner: string;
  caps: Caps;
  amount: number;
  /** How often it was changed. A commit changes it from this step to the next, or not at all. */
  step: number;
}

/** A lease as one commit writes it. */
export interface Batch {
  /** Of the movement of the ledger. */
  id: string;
  row: LeaseRow;
  /** What the lease comes to, what it grows by not counted. */
  amount: number;
  isEnding: boolean;
  /** It is ending and nothing under way needs it: its row goes. */
  isLast: boolean;
  ends: readonly { values: Values; isRecorded: boolean; end: EndValues }[];
  /** Generations that go on, to be recorded as pending. */
  begun: readonly Values[];
  /** By how much it grows from an amount, where so much is left of the balance and of every cap. */
  mayGrow: boolean;
  grow(amount: number, headroom: number): number;
}

/** The outcome of a commit. */
export interface Committed {
  /** Of the ends, in their order. */
  ended: readonly Ended[];
  /** The row after it; `gone` where it is given back, or a recovery took this process for dead. */
  row: Pick<LeaseRow, "amount" | "step"> | "gone";
  /** The least that is left of the balance and of every cap, where that was seen. */
  headroom?: number;
}

/** The least that is left of the balance and of each cap, what is held taken off. */
export function headroomOf(
  account: { balance: number; held: number },
  windows: readonly { kind: string; spent: number; held: number }[],
  caps: Caps,
): number {
  let least = account.balance - account.held;
  for (const cap of CAPS) {
    const limit = caps[cap];
    if (limit === undefined) continue;
    const window = windows.find(({ kind }) => kind === cap);
    least = Math.min(least, limit - (window?.spent ?? 0) - (window?.held ?? 0));
  }
  return least;
}

/**
 * The work of writing what gathered on a lease: all ends, the generations that go on, and the lease itself, in the
 * order in which every process takes its locks: the lease, generations, the account, the key's windows. Whatever is
 * done twice comes about once: an end by its generation, what the lease holds by its step.
 */
export function prepareCommit(engine: Engine, records: RecordOptions): (batch: Batch) => Work<Committed> {
  const { db } = engine;
  const judge = prepareLate(engine);
  const keep = prepareKeep(engine, records);
  const change = prepare<object, { id: string }>(
    db,
    sql`UPDATE leases SET amount = ${param("amount")}, ending = ${param("ending")}, step = step + 1
      WHERE id = ${param("id")} AND step = ${param("step")} RETURNING id`,
  );
  const remove = prepare<object, { id: string }>(
    db,
    sql`DELETE FROM leases WHERE id = ${param("id")} AND step = ${param("step")} RETURNING id`,
  );
  const look = prepare<{ id: string }, { amount: number; step: number }>(
    db,
    sql`SELECT amount, step FROM leases WHERE id = ${param("id")}`,
  );
  const grown = prepare<{ id: string; by: number }>(
    db,
    sql`UPDATE leases SET amount = amount + ${param("by")} WHERE id = ${param("id")}`,
  );

  const columns = sql`id, account_id, key_id, modality, model, created_at, dispatched_at,
    held, daily, weekly, monthly, owner, lease, leased, status, route, price`;
  const values = sql`${param("id")}, ${param("account")}, ${param("key")}, ${param("modality")}, ${param("model")},
    ${param("at")}, ${param("dispatched")}, 0, ${param("daily")}, ${param("weekly")}, ${param("monthly")},
    ${param("owner")}, ${param("lease")}, ${param("leased")}, ${param("status")}, ${param("route")}, ${param("price")}`;
  const begin = prepare<object, { id: string }>(
    db,
    sql`INSERT INTO generations (${columns}) VALUES (${values}) ON CONFLICT (id) DO NOTHING RETURNING id`,
  );
  const write = prepare<object, { id: string }>(
    db,
    sql`INSERT INTO generations (${columns}, usage, cost, duration_ms, batch)
      VALUES (${values}, ${param("usage")}, ${param("cost")}, ${param("duration")}, ${param("batch")})
      ON CONFLICT (id) DO NOTHING RETURNING id`,
  );
  const end = prepare<object, { id: string }>(
    db,
    sql`UPDATE generations SET ${ENDED}, batch = ${param("batch")}
      WHERE id = ${param("id")} AND status = 'pending' AND lease = ${param("lease")} RETURNING id`,
  );
  const charge = prepare<object>(
    db,
    sql`INSERT INTO transfers (id, debit_account, credit_account, amount, kind, generation_id, created_at)
      VALUES (${param("id")}, ${param("account")}, ${sql.lit(REVENUE)}, ${param("cost")}, 'charge',
        ${param("generation")}, ${param("at")})`,
  );
  const pay = prepare<object, { balance: number; held: number; kept: number }>(
    db,
    sql`UPDATE accounts SET balance = balance - ${param("cost")}, held = held - ${param("held")},
        kept_bytes = kept_bytes + ${param("bytes")}
      WHERE id = ${param("account")} RETURNING balance, held, kept_bytes AS kept`,
  );
  const spend = prepare<object, { kind: string; spent: number; held: number }>(
    db,
    sql`${SPEND} RETURNING kind, spent, held`,
  );

  /** The lease itself; what of the account's credit it holds less now. */
  function* move({ row, amount, isEnding, isLast }: Batch): Work<{ row: Committed["row"]; freed: number }> {
    const { id, step } = row;
    const changed = isLast
      ? yield* remove({ id, step })
      : yield* change({ id, step, amount, ending: Number(isEnding) });
    if (changed.length > 0)
      return { row: isLast ? "gone" : { amount, step: step + 1 }, freed: row.amount - amount };
    // This very commit was made, and its answer lost; or a recovery has ended the lease.
    return { row: (yield* first(look({ id }))) ?? "gone", freed: 0 };
  }

  /** Sums what is written of a batch. */
  interface Sums {
    cost: number;
    /** Of the costs, what goes into the movement of the batch. */
    charged: number;
    at: number;
    texts: Values[];
  }

  function* finish(
    { values, isRecorded, end: ending }: Batch["ends"][number],
    lease: string,
    batch: string | null,
    sums: Sums,
  ): Work<Ended> {
    const all = { ...ending, lease, batch };
    const leased = values.amount;
    const route = ending.route ?? values.route;
    const price = ending.price ?? values.price;
    const isNew = !isRecorded && (yield* write({ ...values, ...all, leased, route, price })).length > 0;
    if (isNew && values.request !== null) sums.texts.push(values);
    if (!isNew && (yield* end(all)).length === 0) {
      const { ended, side } = yield* judge(ending);
      if (side && side.account_id !== values.account)
        throw new RangeError(`"${ending.id}" is another account's`);
      sums.cost += side?.cost ?? 0;
      return ended;
    }
    sums.cost += ending.cost;
    sums.charged += ending.cost;
    sums.at = Math.max(sums.at, values.at + (ending.duration ?? 0));
    return { outcome: "written" };
  }

  return function* (batch) {
    const { id, row: before, ends, begun } = batch;
    const { account, key, daily, weekly, monthly } = before;
    const { row, freed } = yield* move(batch);
    const sums: Sums = { cost: 0, charged: 0, at: 0, texts: [] };
    for (const one of begun) {
      const leased = row === "gone" ? 0 : one.amount;
      const added = yield* begin({ ...one, lease: before.id, leased, status: "pending" });
      if (added.length > 0 && one.request !== null) sums.texts.push(one);
    }
    const ended: Ended[] = [];
    // A generation that is charged alone has a movement of its own, which names it.
    const alone = ends.length === 1 ? ends[0]!.values.id : null;
    for (const one of ends) ended.push(yield* finish(one, before.id, alone === null ? id : null, sums));
    const { cost, charged, at, texts } = sums;
    const movement = { id: alone === null ? id : `charge:${alone}`, generation: alone };
    if (charged > 0) yield* charge({ ...movement, account, cost: charged, at });
    const bytes = texts.reduce((sum, text) => sum + text.bytes, 0);
    if (cost === 0 && freed === 0 && bytes === 0 && !batch.mayGrow) return { ended, row };
    const paid = yield* first(pay({ account, cost, held: freed, bytes }));
    if (!paid) throw new RangeError(`there is no account "${account}"`);
    const side = { key_id: key, daily, weekly, monthly };
    const windows = key === null ? [] : yield* spend({ ...side, cost, held: freed });
    const headroom = headroomOf(paid, windows, before.caps);
    const by = row === "gone" || !batch.mayGrow ? 0 : Math.min(batch.grow(row.amount, headroom), headroom);
    if (row !== "gone" && by > 0) {
      yield* pay({ account, cost: 0, held: -by, bytes: 0 });
      if (key !== null) yield* spend({ ...side, cost: 0, held: -by });
      yield* grown({ id: before.id, by });
    }
    yield* keep(texts, paid.kept - bytes);
    const after = row !== "gone" && by > 0 ? { ...row, amount: row.amount + by } : row;
    return { ended, row: after, headroom };
  };
}
