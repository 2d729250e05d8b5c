import { sql } from "kysely";
import { prepareAdd, prepareEach } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare, prepareParallel, UNREAD } from "../engine/statement.ts";
import { type Done, type EndValues, type Finished, toEntry } from "../money/end.ts";
import { prepareLate } from "../money/late-end.ts";
import type { HoldRequest } from "../money/reservation-values.ts";
import {
  prepareCharges,
  prepareLeaseEnds,
  preparePayments,
  prepareSpendings,
  toCharge,
} from "../money/settlement.ts";
import type { Alerts } from "../outbox/alerts.ts";
import { CAPS, type Caps } from "../pricing/caps.ts";
import { IS_PENDING, writtenBy } from "../usage/generation-columns.ts";
import type { Entry } from "../usage/sums.ts";
import { prepareTally } from "../usage/tally.ts";
import { toPending, toRow } from "./rows.ts";

export type Values = HoldRequest["values"];

/** A lease's row, as its process knows it. */
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
  /** The number of changes so far. A commit changes the row only if it is still at this step. */
  step: number;
}

/** A lease as one commit writes it. */
export interface Batch {
  /** The id of the ledger's movement. */
  id: string;
  row: LeaseRow;
  /** The lease's new amount, before any growth. */
  amount: number;
  isEnding: boolean;
  /** The lease is ending and no running generation needs it: its row is deleted. */
  isLast: boolean;
  ends: readonly { values: Values; isRecorded: boolean; end: EndValues }[];
  /** Running generations, to be recorded as pending. */
  begun: readonly Values[];
  /** The lease may grow by what `grow` computes from its amount and the headroom. */
  mayGrow: boolean;
  grow(amount: number, headroom: number): number;
}

/** The outcome of a commit. */
export interface Committed {
  /** The outcomes of the ends, in the same order. */
  ended: readonly Done[];
  /** The row afterwards; `gone` if the lease was given back, or a recovery took this process for dead. */
  row: Pick<LeaseRow, "amount" | "step"> | "gone";
  /** The headroom afterwards, where the commit read it; see `headroomOf`. */
  headroom?: number;
}

/** The smallest remainder among the balance and the caps, after holds. */
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

/** The ledger movement and the lease that the rows of a batch refer to. */
interface BatchRefs {
  account: string;
  lease: string;
  batch: string | null;
}

/** A batch's changes: the lease, the credit that it no longer holds, and the rows written. */
interface Put extends Moved {
  recorded: ReadonlySet<string>;
  added: ReadonlySet<string>;
  changed: ReadonlySet<string>;
}

interface Moved {
  row: Committed["row"];
  freed: number;
}

/** The sums over the ends of a batch. */
interface Sums {
  cost: number;
  /** The part of the costs that goes into the movement of the batch. */
  charged: number;
  at: number;
  entries: Entry[];
}

/**
 * The work of writing a lease's batch: its ends, its running generations and the lease itself. Every process takes its
 * locks in this order: the lease, generations, the account, the key's windows. Repeating the work changes nothing
 * more: an end is written once for its generation, and the lease changes once for each step.
 */
export function prepareCommit(engine: Engine, alerts: Alerts): (batch: Batch) => Work<Committed> {
  const { db } = engine;
  const parallel = prepareParallel(engine);
  const judge = prepareLate(engine);
  const tally = prepareTally(engine);
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
    UNREAD,
  );

  const begin = prepareAdd(engine, "generations", writtenBy("begin"));
  const write = prepareAdd(engine, "generations", writtenBy("begin", "end"));
  const end = prepareLeaseEnds(engine);
  /** Clears the amounts that pending generations had in a lease that is gone. */
  const free = prepareEach(
    engine,
    [["id", "id", "TEXT"]],
    (value, from) => sql`UPDATE generations SET leased = 0 ${from}
      WHERE generations.id = ${value("id")} AND ${IS_PENDING}`,
    UNREAD,
  );
  const charge = prepareCharges(engine);
  const pay = preparePayments<{ balance: number; held: number }>(
    engine,
    sql`accounts.balance AS balance, accounts.held AS held`,
  );
  const spend = prepareSpendings<{ kind: string; win: string; spent: number; held: number }>(
    engine,
    sql`key_spend.kind AS kind, key_spend.win AS win, key_spend.spent AS spent, key_spend.held AS held`,
  );
  /** Growth has been measured by rows that are locked, so that a server is sent its statements with the COMMIT. */
  const grow = { pay: preparePayments(engine), spend: prepareSpendings(engine) };

  function* move({ row, amount, isEnding, isLast }: Batch): Work<Moved> {
    const { id, step } = row;
    const changed = isLast
      ? yield* remove({ id, step })
      : yield* change({ id, step, amount, ending: Number(isEnding) });
    if (changed.length > 0)
      return { row: isLast ? "gone" : { amount, step: step + 1 }, freed: row.amount - amount };
    // An earlier try of this commit succeeded and its answer was lost, or a recovery has ended the lease.
    return { row: (yield* first(look({ id }))) ?? "gone", freed: 0 };
  }

  /** Changes the lease and writes its generations: new rows, and updates of pending rows. */
  function* put(batch: Batch, refs: BatchRefs): Work<Put> {
    const { row, ends, begun } = batch;
    const toEnd = (one: Batch["ends"][number]) => ({ ...one.end, ...refs });
    const fresh = ends.filter(({ isRecorded }) => !isRecorded);
    const [moved, recorded, added, changed] = yield* parallel(
      move(batch),
      begin(begun.map((one) => toPending(one, row.id))),
      write(fresh.map((one) => toRow(one, refs))),
      end(ends.filter(({ isRecorded }) => isRecorded).map(toEnd)),
    );
    if (moved.row === "gone") yield* free(begun);
    // Rows that exist already: this commit or an earlier one recorded them.
    const there = added.size === fresh.length ? [] : fresh.filter(({ values }) => !added.has(values.id));
    const more = yield* end(there.map(toEnd));
    return { ...moved, recorded, added, changed: new Set([...changed, ...more].map(({ id }) => id)) };
  }

  /** Sums up the ends that were written, and judges those that were not. */
  function* finish(ends: Batch["ends"], refs: BatchRefs, { added, changed }: Put) {
    const sums: Sums = { cost: 0, charged: 0, at: 0, entries: [] };
    const ended: Done[] = [];
    for (const { values, end: ending } of ends) {
      const { id } = values;
      if (added.has(id) || changed.has(id)) {
        sums.cost += ending.cost;
        sums.charged += ending.cost;
        sums.at = Math.max(sums.at, values.at + (ending.duration ?? 0));
        const entry = toEntry(ending.route === null ? values : { ...values, entry: ending.entry }, ending);
        sums.entries.push(entry);
        ended.push({ ended: { outcome: "written" }, entry });
        continue;
      }
      const judged: Finished = yield* judge(ending);
      if (judged.side && judged.side.account !== refs.account)
        throw new RangeError(`"${id}" is another account's`);
      ended.push({ ended: judged.ended, entry: judged.entries?.at(-1) });
      if (judged.entries) sums.entries.push(...judged.entries);
      sums.cost += judged.side?.cost ?? 0;
    }
    return { ended, sums };
  }

  return function* (batch) {
    const { id, row: before, ends } = batch;
    const { account, key, daily, weekly, monthly } = before;
    // A generation that is charged alone has its own movement, named after it.
    const alone = ends.length === 1 ? ends[0]!.values.id : null;
    const refs = { account, lease: before.id, batch: alone === null ? id : null };
    const written = yield* put(batch, refs);
    const { row, freed } = written;
    const { ended, sums } = yield* finish(ends, refs, written);
    const { cost, charged, at } = sums;
    const name = alone === null ? id : `charge:${alone}`;
    if (charged > 0) yield* charge([toCharge(name, { account, cost: charged, at }, alone)]);
    if (cost === 0 && freed === 0 && !batch.mayGrow) {
      yield* tally(sums.entries);
      return { ended, row };
    }
    const side = { key, daily, weekly, monthly };
    const [paid, windows] = yield* parallel(
      first(pay([{ account, cost, held: freed }])),
      spend([{ ...side, cost, held: freed }]),
    );
    if (!paid || !windows) throw new RangeError(`there is no account "${account}"`);
    const headroom = headroomOf(paid, windows, before.caps);
    const by = row === "gone" || !batch.mayGrow ? 0 : Math.min(batch.grow(row.amount, headroom), headroom);
    if (row !== "gone" && by > 0) {
      yield* grow.pay([{ account, cost: 0, held: -by }]);
      if (key !== null) yield* grow.spend([{ ...side, cost: 0, held: -by }]);
      yield* grown({ id: before.id, by });
    }
    if (alerts.isOn()) {
      const charge = { cost, balance: paid.balance, windows, caps: before.caps, cause: id, at };
      yield* alerts.charged({ account, key }, charge);
    }
    yield* tally(sums.entries);
    const after = row !== "gone" && by > 0 ? { ...row, amount: row.amount + by } : row;
    return { ended, row: after, headroom };
  };
}
