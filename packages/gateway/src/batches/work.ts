import type { Batch, BatchOutcome, LineCounts } from "@manifold-gateway/store";
import { logFailure } from "../http/fault.ts";
import { BatchLease } from "./batch-lease.ts";
import type { BatchDeps } from "./deps.ts";
import { LinePool } from "./line-pool.ts";
import { readLines } from "./read-lines.ts";
import type { LineContext } from "./run-line.ts";
import { callerOf } from "./send-line.ts";
import { Collector } from "./upstream/collector.ts";
import { abandon, follow } from "./upstream/follow.ts";
import { removeUpstream } from "./upstream/remove-upstream.ts";
import { submit } from "./upstream/submit.ts";
import { takeResults } from "./upstream/take-results.ts";
import type { WorkContext } from "./work-context.ts";
import { writeAnswers } from "./write-answers.ts";

/** The number of lines that are ended at a time without being run. */
const PAGE = 500;
/** The number of lines that are given back at the same time. */
const TOGETHER = 64;
const INTERRUPTED = JSON.stringify({
  code: "request_interrupted",
  message: "The service was stopped each time that it ran this request. Nothing was charged.",
});

const sumOf = (counts: LineCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The work on one batch while this process has its lease. */
export class BatchWork {
  readonly lease: BatchLease;
  readonly #deps: BatchDeps;
  readonly #context: WorkContext;
  #pool: LinePool | undefined;
  /** The most lines that may run at the same time. */
  readonly #most: () => number;
  /** The time after this work for which no worker may claim the batch, in milliseconds. */
  #pause = 0;

  constructor(deps: BatchDeps, batch: Batch, leasedUntil: number, most: () => number) {
    this.#deps = deps;
    this.#most = most;
    const lease = new BatchLease(deps, batch, leasedUntil, () => this.#pool?.wake());
    this.lease = lease;
    this.#context = { deps, ref: lease.ref, signal: lease.signal, stops: () => lease.isOver };
  }

  /** Takes the batch through its phases until it is done or the work stops, and then releases the lease. */
  async run(): Promise<void> {
    const { limits, log } = this.#deps;
    const { lease } = this;
    const cancel = lease.keep();
    try {
      while (!lease.isOver && (await this.#step()));
    } catch (error) {
      this.#pause = limits.retry.max;
      if (!lease.signal.aborted) logFailure(log, error, { batch: lease.ref.id }, "batch not worked on");
    } finally {
      cancel();
    }
    if (!lease.signal.aborted) await lease.release(this.#pause);
  }

  /** Takes the batch to its next phase. False if there is none, or if this worker cannot take it there. */
  async #step(): Promise<boolean> {
    switch (this.lease.batch.phase) {
      case "reading":
        return this.#read();
      case "running":
        return this.#runLines();
      case "writing":
        return this.#write();
      case "sweeping":
        return this.#sweep();
      case "swept":
        return false;
    }
  }

  async #read(): Promise<boolean> {
    const { store } = this.#deps;
    const file = await this.#file();
    if (file === undefined) return this.#fail();
    const total = this.#isExpired()
      ? sumOf(await store.batchLines.counts(this.lease.ref.id))
      : await readLines(this.#context, this.lease.batch, file);
    return total !== undefined && this.#enter("running", total);
  }

  async #enter(phase: "running" | "writing", total?: number): Promise<boolean> {
    const { store, clock } = this.#deps;
    const batch = await store.batches.enter(this.lease.ref, phase, clock.now(), total);
    if (batch) this.lease.batch = batch;
    return batch !== undefined;
  }

  #isExpired(): boolean {
    return this.#deps.clock.now() >= this.lease.batch.expiresAt;
  }

  /** The object key of the batch's input file; undefined if the file no longer exists. */
  async #file(): Promise<string | undefined> {
    const { store, objects } = this.#deps;
    const { input: id, accountId } = this.lease.batch;
    const key = (await store.files.get({ id, accountId }))?.key;
    return key !== undefined && (await objects.head(key)) ? key : undefined;
  }

  /** Ends a batch whose file cannot be read. */
  async #fail(): Promise<boolean> {
    const { store, clock } = this.#deps;
    const counts = await store.batchLines.counts(this.lease.ref.id);
    const error = { code: "file_not_found", message: "The file of the batch is not there any more." };
    return this.#end({ at: clock.now(), outcome: "failed", counts, error });
  }

  async #end(end: Parameters<BatchDeps["store"]["batches"]["end"]>[1]): Promise<boolean> {
    const { store, log } = this.#deps;
    if (!(await store.batches.end(this.lease.ref, end))) return false;
    const { outcome, counts, at } = end;
    const { accountId, createdAt } = this.lease.batch;
    const { succeeded, errored, cancelled, expired } = counts;
    const fields = { batch: this.lease.ref.id, account: accountId, outcome, ms: at - createdAt };
    log.info({ ...fields, succeeded, errored, cancelled, expired }, "batch ended");
    this.lease.batch = { ...this.lease.batch, phase: "sweeping", endedAt: at };
    return true;
  }

  async #runLines(): Promise<boolean> {
    const { store } = this.#deps;
    const isOver = (): boolean => this.lease.batch.cancellingAt !== undefined || this.#isExpired();
    const file = await this.#file();
    const context = file === undefined ? undefined : this.#lineContext(file);
    if (context) await this.#follow(context, isOver);
    else await abandon(this.#context);
    await this.#giveBack();
    if (!isOver() && !this.lease.isOver) {
      if (!context) return this.#fail();
      await this.#runPool(context, isOver);
    }
    if (this.lease.isOver) return false;
    if (isOver()) {
      const outcome = this.lease.batch.cancellingAt === undefined ? "expired" : "cancelled";
      while (!this.lease.isOver && (await store.batchLines.drop(this.lease.ref, outcome, PAGE)) === PAGE);
    }
    const { waiting, sent } = await store.batchLines.counts(this.lease.ref.id);
    if (waiting + sent === 0) return this.#enter("writing");
    // If the database was unreachable, a line may still be marked as sent: it is given back and run again.
    return this.#pause === 0 && !this.lease.isOver;
  }

  #lineContext(file: string): LineContext {
    const { batch } = this.lease;
    return { ...this.#context, batch, file, caller: callerOf(this.#deps, batch) };
  }

  /** Follows the upstream batches. If nothing else is left to do, the batch is released until they are due again. */
  async #follow(line: LineContext, isOver: () => boolean): Promise<void> {
    const wait = await follow(line, isOver, (...ended) => takeResults(line, ...ended));
    const untilOver = isOver()
      ? Number.POSITIVE_INFINITY
      : this.lease.batch.expiresAt - this.#deps.clock.now();
    this.#pause = wait === undefined ? 0 : Math.min(wait, untilOver);
  }

  async #runPool(line: LineContext, isOver: () => boolean): Promise<void> {
    const { deps, batch, stops } = line;
    const collector = new Collector(deps, batch, (draft) => submit(line, draft));
    const pool = new LinePool(
      { ...line, collector },
      {
        stops: () => stops() || isOver(),
        most: this.#most,
        onLost: () => void this.lease.renew(),
      },
    );
    this.#pool = pool;
    const forget = deps.clock.after(batch.expiresAt - deps.clock.now(), () => pool.wake());
    try {
      await pool.run();
      // Collected lines have holds, so a stopping worker sends them too: otherwise they would be held for again.
      if (!this.lease.signal.aborted && !isOver()) await collector.flush(true);
    } finally {
      forget();
      this.#pool = undefined;
    }
  }

  /** Gives back sent lines that no worker will end, with their holds. */
  async #giveBack(): Promise<void> {
    const { store, limits } = this.#deps;
    const { accountId } = this.lease.batch;
    const lines = await store.batchLines.sent(this.lease.ref.id);
    // An upstream batch may return all of its lines. Those given back at the same time share a commit.
    for (let from = 0; from < lines.length; from += TOGETHER) {
      if (this.lease.isOver) return;
      const page = lines.slice(from, from + TOGETHER).map(({ isReturned, ...line }) =>
        // A line that its upstream batch did not answer does not count as interrupted.
        store.batchLines.giveBack(this.lease.ref, { ...line, accountId }, isReturned ? {} : undefined),
      );
      await Promise.all(page);
    }
    for (const { number } of await store.batchLines.interrupted(this.lease.ref.id, limits.interruptions))
      await store.batchLines.refuse(this.lease.ref, { number, answer: INTERRUPTED });
  }

  async #write(): Promise<boolean> {
    const { store, clock } = this.#deps;
    const counts = await store.batchLines.counts(this.lease.ref.id);
    const files = await writeAnswers(this.#deps, this.lease.batch, counts);
    return this.#end({ at: clock.now(), outcome: this.#outcomeOf(counts), counts, ...files });
  }

  #outcomeOf({ cancelled, expired }: { cancelled: number; expired: number }): BatchOutcome {
    if (this.lease.batch.cancellingAt !== undefined || cancelled > 0) return "cancelled";
    return expired > 0 || (this.lease.batch.total === 0 && this.#isExpired()) ? "expired" : "completed";
  }

  async #sweep(): Promise<boolean> {
    const { store, clock } = this.#deps;
    const { ref, signal } = this.lease;
    await store.batchLines.sweep(ref.id, signal);
    const { endedAt = clock.now() } = this.lease.batch;
    const wait = await removeUpstream(this.#context, endedAt);
    if (wait === undefined && !this.lease.isOver) await store.batches.finish(ref);
    this.#pause = wait ?? 0;
    return false;
  }
}
