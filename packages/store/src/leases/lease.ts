import { type End, toEndValues } from "../money/end.ts";
import type { Ended } from "../money/money.ts";
import type { Batch, Committed, LeaseRow, Values } from "./commit.ts";
import { planFree, type Use } from "./policy.ts";
import { isFresh, type Moment } from "./two-clocks.ts";

/** A generation admitted from a lease, until its end is on disk. */
export interface Draw {
  readonly lease: Lease;
  values: Values;
  readonly at: Moment;
  /** The database has it as pending. */
  isRecorded: boolean;
  /** A running commit carries its end. */
  isLoaded: boolean;
  end?: DrawEnd | undefined;
}

/** A draw's end, and the promise that waits for it to be on disk; absent once a write has failed. */
export interface DrawEnd {
  item: End;
  waiting?: PromiseWithResolvers<Ended> | undefined;
}

/** The values of a draw that has ended. */
const ENDED = Object.freeze({}) as Values;

/**
 * Drops what a draw holds once its end is on disk. A map whose members come and go leaves a chain of old tables, which
 * keep their members alive until a full collection.
 */
export function releaseDraw(draw: Draw): void {
  draw.values = ENDED;
  draw.end = undefined;
}

/** A commit's load: its batch, and the draws that the batch records or ends. */
export interface Load {
  batch: Batch;
  begun: readonly Draw[];
  ended: readonly Draw[];
  cost: number;
}

/** True if the same reservation is repeated. Throws if the id belongs to a different one. */
export function isSame(drawn: Values, requested: Values): boolean {
  const { account, key, amount } = drawn;
  if (account === requested.account && key === requested.key && amount === requested.amount) return true;
  throw new RangeError(`generation id "${requested.id}" is taken`);
}

/**
 * The age at which a generation is recorded as pending, in ms: one that has ended by then is written once instead of
 * twice. Without a trace of calls, the end of a process would lose the records of all calls of that age.
 */
export const RECORD_MS = { traced: 100, untraced: 5 } as const;

/**
 * Credit that this process holds for one key and day, and how much of it is promised and spent. The database always
 * holds at least as much as is counted on here: a commit lowers `amount` when it begins, and raises it only once it is
 * made.
 */
export class Lease {
  readonly row: LeaseRow;
  /** The smallest remainder among the balance and the caps, when last seen. */
  headroom: number;
  /** The last time at which the database was known to have the lease. */
  confirmed: Moment;
  /** True once it admits nothing more and its free part is to be given back. */
  isEnding = false;
  /** True once its row is gone: given back, or removed by a process that took this one for dead. */
  isGone = false;
  /** True while ends are written one at a time, because one among them cannot be written. */
  isCareful = false;
  /** True since a commit failed, until one is made: what goes out meanwhile might never be charged. */
  #isFailing = false;
  /** The duration of its last change, in ms. */
  renewalMs = 0;
  readonly #recordMs: number;
  #amount: number;
  /** The sum of the holds of running draws. */
  #drawn = 0;
  #count = 0;
  /** The costs of ends that no commit carries yet. */
  #due = 0;
  #commits = 0;
  /** The database has it marked as ending. */
  #isEndStored = false;
  /** Running draws that are not recorded, oldest first. */
  readonly #unrecorded = new Set<Draw>();
  #ended: Draw[] = [];

  /** `recordMs`: see `RECORD_MS`. */
  constructor(row: LeaseRow, headroom: number, confirmed: Moment, recordMs: number) {
    this.row = row;
    this.headroom = headroom;
    this.confirmed = confirmed;
    this.#recordMs = recordMs;
    this.#amount = row.amount;
  }

  /** The credit from which requests can be admitted. */
  get free(): number {
    return this.#amount - this.#drawn - this.#due;
  }

  get hasEnds(): boolean {
    return this.#ended.length > 0;
  }

  /** True if a commit would have something to write; with `all`, draws that have just begun count too. */
  isDue(now: Moment, all = false): boolean {
    if (this.hasEnds) return true;
    if (this.isEnding && !this.isGone && (!this.#isEndStored || this.#count === 0)) return true;
    const [oldest] = this.#unrecorded;
    return oldest !== undefined && (all || now.steady - oldest.at.steady >= this.#recordMs);
  }

  get hasUnrecorded(): boolean {
    return this.#unrecorded.size > 0;
  }

  /** True when the lease is gone from the database and no draw of it is left here. */
  get isDone(): boolean {
    return this.isGone && this.#count === 0;
  }

  /** The ends whose callers still wait. */
  *waiting(): Iterable<DrawEnd> {
    for (const { end } of this.#ended) if (end?.waiting) yield end;
  }

  /** Marks the lease as ending if it no longer pays for itself. */
  review(use: Use, now: Moment): void {
    if (this.#plan(use, now, this.free, this.headroom) === undefined) this.isEnding = true;
  }

  /** True if the hold fits into the free credit, and at least `need` is free. */
  admits({ amount }: Values, need: number, now: Moment): boolean {
    return (
      !this.isEnding &&
      !this.#isFailing &&
      this.free >= Math.max(need, amount) &&
      isFresh(this.confirmed, now)
    );
  }

  /** Admits a generation. */
  draw(values: Values, now: Moment): Draw {
    const draw: Draw = { lease: this, values, at: now, isRecorded: false, isLoaded: false };
    this.#drawn += values.amount;
    this.#count += 1;
    this.#unrecorded.add(draw);
    return draw;
  }

  /** Sets the end of a draw; it replaces an earlier end that no commit carries. */
  end(draw: Draw, end: DrawEnd): void {
    if (draw.end) this.#due -= draw.end.item.cost;
    else {
      this.#drawn -= draw.values.amount;
      this.#unrecorded.delete(draw);
      this.#ended.push(draw);
    }
    draw.end = end;
    this.#due += end.item.cost;
  }

  /** Takes the load of the next commit; with `all`, it records every running draw. */
  load(use: Use, now: Moment, { all = false, withEnds = true } = {}): Load {
    const ended = withEnds ? this.#ended.splice(0, this.isCareful ? 1 : Number.MAX_SAFE_INTEGER) : [];
    const begun: Draw[] = [];
    for (const draw of this.#unrecorded) {
      if (this.isCareful && ended.length > 0) break;
      if (!all && now.steady - draw.at.steady < this.#recordMs) break;
      begun.push(draw);
      if (this.isCareful) break;
    }
    for (const draw of ended) draw.isLoaded = true;
    const cost = ended.reduce((sum, { end }) => sum + end!.item.cost, 0);
    const drawn = this.#drawn;
    const spare = Math.max(0, this.#amount - cost - drawn);
    const plan = this.isEnding ? undefined : this.#plan(use, now, spare, this.headroom);
    if (plan === undefined) this.isEnding = true;
    // Later draws use only credit that stays free after this commit, so they need not wait for it.
    this.#amount = drawn + Math.min(spare, plan ?? 0);
    this.#due -= cost;
    const isLast = this.isEnding && this.#count === ended.length;
    this.#commits += 1;
    const batch: Batch = {
      id: `batch:${this.row.id}.${this.#commits}`,
      row: { ...this.row },
      amount: isLast ? 0 : this.#amount,
      isEnding: this.isEnding,
      isLast,
      ends: ended.map(({ values, isRecorded, end }) => ({ values, isRecorded, end: toEndValues(end!.item) })),
      begun: begun.map(({ values }) => values),
      mayGrow: (plan ?? 0) > spare,
      grow: (amount, headroom) => {
        const free = Math.max(0, amount - drawn);
        return Math.max(0, (this.#plan(use, now, free, headroom) ?? 0) - free);
      },
    };
    return { batch, begun, ended, cost };
  }

  #plan(use: Use, { steady }: Moment, free: number, headroom: number): number | undefined {
    return planFree({ now: steady, use, free, headroom, renewalMs: this.renewalMs });
  }

  /** Updates the lease after a commit was made. */
  committed({ batch, begun, ended }: Load, { row, headroom }: Committed): void {
    this.#isFailing = false;
    for (const draw of begun) {
      draw.isRecorded = true;
      this.#unrecorded.delete(draw);
    }
    this.#count -= ended.length;
    this.#isEndStored = batch.isEnding;
    if (!this.hasEnds) this.isCareful = false;
    if (headroom !== undefined) this.headroom = headroom;
    if (row === "gone") {
      this.isGone = true;
      this.isEnding = true;
      return;
    }
    Object.assign(this.row, row);
    this.#amount = row.amount;
  }

  /** Takes back the load of a commit that failed or whose outcome is unknown: it is still to be written. */
  failed({ ended, cost }: Load): void {
    this.#isFailing = true;
    for (const draw of ended) draw.isLoaded = false;
    this.#ended.unshift(...ended);
    this.#amount += cost;
    this.#due += cost;
  }

  /** Drops a load that can never be written: its hold stays until this process ends. */
  dropped({ begun, ended, cost }: Load): void {
    for (const draw of begun) this.#unrecorded.delete(draw);
    for (const draw of ended) {
      draw.end = undefined;
      draw.isLoaded = false;
      this.#drawn += draw.values.amount;
    }
    this.#amount += cost;
  }
}
