import { type End, toEndValues } from "../money/end.ts";
import type { Ended } from "../money/money.ts";
import type { Batch, Committed, LeaseRow, Values } from "./commit.ts";
import { isFresh, type Moment } from "./moment.ts";
import { planFree, type Use } from "./policy.ts";

/** A generation that was admitted from a lease, until its end is on disk. */
export interface Draw {
  readonly lease: Lease;
  readonly values: Values;
  readonly at: Moment;
  /** The database has it as pending, or may have. */
  isRecorded: boolean;
  /** A commit that is on its way carries its end. */
  isLoaded: boolean;
  end?: DrawEnd | undefined;
}

/** The end of a draw, and who waits for it to be on disk; nobody does any more once it could not be written. */
export interface DrawEnd {
  item: End;
  waiting?: PromiseWithResolvers<Ended> | undefined;
}

/** The load of a commit: its batch, and the draws that it is about. */
export interface Load {
  batch: Batch;
  begun: readonly Draw[];
  ended: readonly Draw[];
  cost: number;
}

/** True for the same reservation again. Throws where an id is another one's. */
export function isSame(drawn: Values, asked: Values): boolean {
  const { account, key, amount } = drawn;
  if (account === asked.account && key === asked.key && amount === asked.amount) return true;
  throw new RangeError(`generation id "${asked.id}" is taken`);
}

/** The age at which a generation is recorded as pending, in ms: most have ended by then. */
export const RECORD_MS = 5;

/**
 * Credit that this process holds for one key and day, and what is promised and spent of it. What the database holds is
 * never less than what is counted on here: a commit takes from `amount` when it is begun, and adds to it when it is
 * made.
 */
export class Lease {
  readonly row: LeaseRow;
  /** The least that was last seen to be left of the balance and of every cap. */
  headroom: number;
  /** The last time at which the database was seen to have it. */
  confirmed: Moment;
  /** True when nothing more is admitted from it, and its free part goes back. */
  isEnding = false;
  /** True when its row is gone: given back, or others took this process for dead. */
  isGone = false;
  /** True while ends are written one by one, as one of them cannot be written. */
  isCareful = false;
  /** The time that its last change took, in ms. */
  renewalMs = 0;
  #amount: number;
  /** The sum of the holds of draws that go on. */
  #drawn = 0;
  #count = 0;
  /** The costs of ends that no commit has taken. */
  #due = 0;
  #commits = 0;
  /** The database knows that it is ending. */
  #isEndTold = false;
  /** Draws that go on and are not recorded, oldest first. */
  readonly #unrecorded = new Set<Draw>();
  #ended: Draw[] = [];

  constructor(row: LeaseRow, headroom: number, confirmed: Moment) {
    this.row = row;
    this.headroom = headroom;
    this.confirmed = confirmed;
    this.#amount = row.amount;
  }

  /** The part that requests can be admitted from. */
  get free(): number {
    return this.#amount - this.#drawn - this.#due;
  }

  get hasEnds(): boolean {
    return this.#ended.length > 0;
  }

  /** Tells whether a commit would find something to write; with `all`, also of draws that have just begun. */
  isDue(now: Moment, all = false): boolean {
    if (this.hasEnds) return true;
    if (this.isEnding && !this.isGone && (!this.#isEndTold || this.#count === 0)) return true;
    const [oldest] = this.#unrecorded;
    return oldest !== undefined && (all || now.steady - oldest.at.steady >= RECORD_MS);
  }

  get hasUnrecorded(): boolean {
    return this.#unrecorded.size > 0;
  }

  /** True when nothing of it is left, here or in the database. */
  get isDone(): boolean {
    return this.isGone && this.#count === 0;
  }

  /** Ends that somebody waits for. */
  *waiting(): Iterable<DrawEnd> {
    for (const { end } of this.#ended) if (end?.waiting) yield end;
  }

  /** Ends it where it is not worth having any more. */
  review(use: Use, now: Moment): void {
    if (this.#plan(use, now, this.free, this.headroom) === undefined) this.isEnding = true;
  }

  /** True where all of a hold is free; `need` is what has to be left for it. */
  admits({ amount }: Values, need: number, now: Moment): boolean {
    return !this.isEnding && this.free >= Math.max(need, amount) && isFresh(this.confirmed, now);
  }

  /** Takes a generation that it admits. */
  draw(values: Values, now: Moment): Draw {
    const draw: Draw = { lease: this, values, at: now, isRecorded: false, isLoaded: false };
    this.#drawn += values.amount;
    this.#count += 1;
    this.#unrecorded.add(draw);
    return draw;
  }

  /** Notes how a draw ended, in the place of what was noted before and no commit carries. */
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

  /** Takes up the load of the next commit; with `all`, every draw that goes on is recorded by it. */
  load(use: Use, now: Moment, { all = false, withEnds = true } = {}): Load {
    const ended = withEnds ? this.#ended.splice(0, this.isCareful ? 1 : Number.MAX_SAFE_INTEGER) : [];
    const begun: Draw[] = [];
    for (const draw of this.#unrecorded) {
      if (this.isCareful && ended.length > 0) break;
      if (!all && now.steady - draw.at.steady < RECORD_MS) break;
      begun.push(draw);
      if (this.isCareful) break;
    }
    for (const draw of ended) draw.isLoaded = true;
    const cost = ended.reduce((sum, { end }) => sum + end!.item.cost, 0);
    const drawn = this.#drawn;
    const spare = Math.max(0, this.#amount - cost - drawn);
    const plan = this.isEnding ? undefined : this.#plan(use, now, spare, this.headroom);
    if (plan === undefined) this.isEnding = true;
    // Draws of later come from what is free after this commit, so that it can be counted on before it is made.
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

  /** Notes that a commit was made. */
  made({ batch, begun, ended }: Load, { row, headroom }: Committed): void {
    for (const draw of begun) {
      draw.isRecorded = true;
      this.#unrecorded.delete(draw);
    }
    this.#count -= ended.length;
    this.#isEndTold = batch.isEnding;
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

  /** Notes that a commit was not made, as far as is known: its load is still to be written. */
  failed({ ended, cost }: Load): void {
    for (const draw of ended) draw.isLoaded = false;
    this.#ended.unshift(...ended);
    this.#amount += cost;
    this.#due += cost;
  }

  /** Leaves out a load that cannot be written, whatever is tried: its hold stays until this process ends. */
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
