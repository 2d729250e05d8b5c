import {
  addUse,
  CHECK_MS,
  type LeaseFacts,
  noUse,
  planFree,
} from "../../packages/store/src/leases/policy.ts";
import type { Clock } from "./clock.ts";
import type { Account, Database, LeaseRow } from "./database.ts";
import type { Measure } from "./measure.ts";
import { afterRefusal, isAccountDue } from "./rules.ts";

/** A request that holds `hold` and comes to `cost`, at most that. */
export interface Request {
  readonly hold: number;
  readonly cost: number;
  readonly takesMs: number;
  readonly askedAt: number;
  startedAt?: number;
  refusedAt?: number;
  /** The first recall that was raised for it. */
  recall?: number;
}

export interface World {
  clock: Clock;
  database: Database;
  measure: Measure;
  /** What every commit that writes ends changes beside them: the account's row, or the lease's own. */
  endsChange: "account" | "lease";
}

/** Ends wait for the account's row where that is quick: one commit is cheaper than two. */
const QUICK_MS = 50;

/** What one process keeps for one account: its lease, who waits for it, what runs on it, what ended. */
export class Holder {
  readonly running = new Set<Request>();
  free: number | undefined;
  isDead = false;
  /** The lease is over: what is free came back with ends, and is on its way to the account. */
  isOver = true;
  #use = noUse;
  #waiting: Request[] = [];
  #ends: { request: Request; at: number }[] = [];
  #writing: readonly { request: Request }[] = [];
  #isRenewing = false;
  #carries = true;
  #isLeased = false;
  #foldedAt = 0;
  #renewalMs = 0;
  #headroom: number;
  #seen: number;
  #recalledAt: number | undefined;
  readonly #world: World;
  readonly #process: number;
  readonly #account: Account;

  constructor(world: World, process: number, account: Account) {
    this.#world = world;
    this.#process = process;
    this.#account = account;
    this.#headroom = account.balance - account.held;
    this.#seen = account.recalls;
  }

  ask(request: Request): void {
    this.#use = addUse(this.#use, request.hold, request.askedAt);
    this.#waiting.push(request);
    this.#admit();
    this.#go();
  }

  /** What is done four times a second: looking for recalls, giving back what is idle. */
  check(): void {
    if (this.#account.recalls > this.#seen) this.#recalled();
    this.#go();
  }

  isIdle(): boolean {
    const isBusy = this.#isRenewing || this.#waiting.length + this.#ends.length + this.#writing.length > 0;
    return !isBusy && this.free === undefined && this.running.size === 0 && !this.#row()?.amount;
  }

  /** What this process promised and has not written the end of. */
  promised(): Request[] {
    return [...this.running, ...[...this.#ends, ...this.#writing].map(({ request }) => request)];
  }

  /** Whether the lease's row says what this process has; only while nothing is on its way. */
  isExact(): boolean {
    if (this.#isRenewing || this.isIdle()) return true;
    const promised = this.promised().reduce((sum, { hold }) => sum + hold, 0);
    const row = this.#row();
    return (row?.amount ?? 0) === promised + (this.free ?? 0) + (row?.spent ?? 0);
  }

  #row = (): LeaseRow | undefined => this.#account.leases.get(this.#process);

  #known = (): LeaseFacts => ({
    now: this.#world.clock.now(),
    use: this.#use,
    free: this.isOver ? undefined : this.free,
    headroom: this.#headroom,
    renewalMs: this.#renewalMs,
    recalledAt: this.#recalledAt,
  });

  #recalled(): void {
    this.#seen = this.#account.recalls;
    this.#recalledAt = this.#world.clock.now();
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#waiting[0]!.hold <= (this.free ?? -1)) {
      const request = this.#waiting.shift()!;
      this.free! -= request.hold;
      this.#start(request);
    }
  }

  #start(request: Request): void {
    const { clock, measure } = this.#world;
    request.startedAt = clock.now();
    measure.started(request.startedAt - request.askedAt);
    this.running.add(request);
    clock.after(request.takesMs, () => {
      if (this.isDead) return;
      this.running.delete(request);
      this.#ends.push({ request, at: clock.now() });
      this.#go();
    });
  }

  /** Whether ends go with the account's row and no other way: without a lease there is no other. */
  #carriesAll = (): boolean => !this.#isLeased || this.#world.endsChange === "account";

  /** Begins the commits that are due and not under way. */
  #go(): void {
    if (this.isDead) return;
    const hasEnds = this.#ends.length > 0;
    const isDue =
      this.#waiting.length > 0 ||
      (hasEnds && this.#carriesAll()) ||
      (this.isOver && this.free !== undefined) ||
      isAccountDue(this.#known(), { spent: this.#row()?.spent ?? 0, foldedAt: this.#foldedAt });
    if (isDue && !this.#isRenewing) this.#renew();
    if (hasEnds && this.#writing.length === 0 && !(this.#isRenewing && this.#carries)) this.#write();
  }

  /** Ends are written, and what they spent is noted on the lease's own row. */
  #write(): void {
    const ends = this.#ends.splice(0);
    this.#writing = ends;
    this.#world.database.onOwnRows(
      () => {
        const row = this.#row();
        if (row && !this.isDead) for (const { request } of ends) row.spent += request.cost;
      },
      () => {
        this.#writing = [];
        if (this.isDead) return;
        this.free = (this.free ?? 0) + this.#ended(ends);
        this.#admit();
        this.#go();
      },
    );
  }

  /** Returns what comes back of what they held. */
  #ended(ends: readonly { request: Request; at: number }[]): number {
    const { clock, measure } = this.#world;
    let back = 0;
    for (const { request, at } of ends) {
      measure.ended(clock.now() - at, request.cost);
      back += request.hold - request.cost;
    }
    return back;
  }

  /** Everything that changes the account: what was spent comes off, the lease changes, requests hold for themselves. */
  #renew(): void {
    const { clock, database } = this.#world;
    const account = this.#account;
    const wishedAt = clock.now();
    this.#isRenewing = true;
    this.#carries = this.#carriesAll() || this.#renewalMs <= QUICK_MS;
    let ends: { request: Request; at: number }[] = [];
    let alone: Request[] = [];
    let growth = 0;
    const work = (): boolean => {
      if (this.isDead) return false;
      if (account.recalls > this.#seen) this.#recalled();
      const row = this.#row() ?? { amount: 0, spent: 0, seen: 0 };
      account.leases.set(this.#process, row);
      row.seen = this.#seen;
      if (this.#carries) ends = this.#ends.splice(0);
      const carried = ends.reduce((sum, { request }) => sum + request.cost, 0);
      const back = ends.reduce((sum, { request }) => sum + request.hold, 0) - carried;
      const fold = row.spent + carried;
      account.balance -= fold;
      account.held -= fold;
      row.amount -= fold;
      row.spent = 0;

      const before = ends.length > 0 ? (this.free ?? 0) + back : this.free;
      const free = this.isOver ? undefined : before;
      const planned = planFree({ ...this.#known(), free, headroom: account.balance - account.held });
      const change = (planned ?? 0) - (before ?? 0);
      account.held += change;
      row.amount += change;
      // What is given back is gone at once; what is taken is there once it is committed.
      const kept = Math.min(this.free ?? 0, planned ?? 0);
      growth = (planned ?? 0) - kept;
      if (this.free !== undefined) this.free = kept;
      this.isOver = planned === undefined;

      const held = account.held;
      const recalls = account.recalls;
      alone = this.#holdAlone(row, planned);
      this.#headroom = account.balance - account.held;
      this.#isLeased = (this.#isLeased && row.amount > 0) || planned !== undefined;
      if (row.amount === 0) account.leases.delete(this.#process);
      return (
        fold !== 0 || ends.length > 0 || change !== 0 || account.held !== held || account.recalls !== recalls
      );
    };
    const done = (): void => {
      this.#isRenewing = false;
      if (this.isDead) return;
      this.#renewalMs = clock.now() - wishedAt;
      this.#foldedAt = clock.now();
      this.#ended(ends);
      const free = (this.free ?? 0) + growth;
      this.free = this.isOver && free === 0 ? undefined : free;
      for (const request of alone) this.#start(request);
      this.#admit();
      this.#go();
    };
    database.onAccount(account, work, done);
  }

  /** Requests that the lease is not for hold for themselves, each if all of it fits. */
  #holdAlone(row: LeaseRow, planned: number | undefined): Request[] {
    const account = this.#account;
    const held: Request[] = [];
    const refused: Request[] = [];
    this.#waiting = this.#waiting.filter((request) => {
      if (request.hold <= (planned ?? -1)) return true;
      if (account.balance - account.held < request.hold) refused.push(request);
      else {
        account.held += request.hold;
        row.amount += request.hold;
        held.push(request);
      }
      return false;
    });
    if (refused.length > 0) this.#refuse(refused);
    return held;
  }

  #refuse(refused: readonly Request[]): void {
    const { clock, measure } = this.#world;
    const account = this.#account;
    const now = clock.now();
    const headroom = account.balance - account.held;
    let isRaised = false;
    for (const request of refused) {
      request.refusedAt ??= now;
      const next = request.recall ?? account.recalls + (isRaised ? 0 : 1);
      let leased = 0;
      for (const { amount, seen } of account.leases.values()) if (seen < next) leased += amount;
      const waitedMs = now - request.refusedAt;
      if (afterRefusal({ need: request.hold, headroom, leased, waitedMs }) === "refuse") {
        measure.refused(account, request.hold);
        continue;
      }
      if (!isRaised) account.recalls++;
      isRaised = true;
      request.recall ??= account.recalls;
      clock.after(CHECK_MS, () => {
        this.#waiting.push(request);
        this.#go();
      });
    }
  }
}
