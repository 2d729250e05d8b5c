import type { BatchLine } from "@manifold-gateway/store";
import { logFailure } from "../http/fault.ts";
import { type LineContext, type LineRun, runLine } from "./run-line.ts";

/** A line that waits until a time, and the number of its tries. */
interface Later {
  line: BatchLine;
  at: number;
  tries: number;
}

/** The state outside of a pool that it reads while it runs. */
export interface PoolState {
  /** True if no further line may be begun. */
  stops(): boolean;
  /** The most lines that may run at the same time. */
  most(): number;
  /** Called when a line is lost: the batch may have been cancelled, or claimed by another worker. */
  onLost(): void;
}

/** The number of lines that are read from the database at a time. */
const PAGE = 200;
/** The most lines that wait for another try, since they are in memory. With so many, no further line is begun. */
const MOST_LATER = 1_000;
/** The number of times that all fitting lines have to end before one more is run at the same time. */
const ROUNDS = 16;

/**
 * Runs the waiting lines of a batch in order, several at a time. A line that has to be tried again waits for its pause.
 * If the key's limits or the service admit no line at all, all lines wait.
 */
export class LinePool {
  readonly #context: LineContext;
  readonly #state: PoolState;
  #ready: { line: BatchLine; tries: number }[] = [];
  #later: Later[] = [];
  /** The last line that was read, and whether there are more. */
  #after = 0;
  #isRead = false;
  #running = 0;
  /** The number of lines that the key's own limits let run at the same time, as far as it is known. */
  #fit = Number.POSITIVE_INFINITY;
  /** The time until which all lines wait. */
  #pausedUntil = 0;
  /** Why no further line can be begun. */
  #failure: { error: unknown } | undefined;
  #wake = () => {};

  constructor(context: LineContext, state: PoolState) {
    this.#context = context;
    this.#state = state;
  }

  /** Checks at once whether anything has changed. */
  wake(): void {
    this.#wake();
  }

  /**
   * Resolves when all lines have been run or, after a stop, when the running ones have ended. Rejects then if no
   * further line could be begun because of an error.
   */
  async run(): Promise<void> {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (!this.#stops()) await this.#begin();
      const isOver = this.#stops() || (this.#isRead && this.#ready.length + this.#later.length === 0);
      if (isOver && this.#running === 0) break;
      const forget = this.#stops() ? () => {} : this.#wakeLater();
      await woken;
      forget();
    }
    if (this.#failure) throw this.#failure.error;
  }

  #stops(): boolean {
    return this.#failure !== undefined || this.#state.stops();
  }

  #hasRoom(): boolean {
    return this.#running < Math.min(Math.floor(this.#fit), this.#state.most());
  }

  /** Begins as many lines as may run. */
  async #begin(): Promise<void> {
    const { clock } = this.#context.deps;
    while (!this.#stops() && this.#hasRoom() && clock.now() >= this.#pausedUntil) {
      const next = await this.#next().catch((error: unknown) => {
        this.#failure = { error };
      });
      if (!next || this.#stops()) return;
      this.#running += 1;
      void this.#run(next.line, next.tries).finally(() => {
        this.#running -= 1;
        this.#wake();
      });
    }
  }

  async #next(): Promise<{ line: BatchLine; tries: number } | undefined> {
    const { deps, batch } = this.#context;
    const now = deps.clock.now();
    const due = this.#later.findIndex(({ at }) => at <= now);
    if (due >= 0) return this.#later.splice(due, 1)[0];
    if (this.#later.length >= MOST_LATER) return undefined;
    if (this.#ready.length === 0 && !this.#isRead) {
      const lines = await deps.store.batchLines.waiting(batch.id, { after: this.#after, most: PAGE });
      this.#ready = lines.map((line) => ({ line, tries: 0 }));
      this.#after = lines.at(-1)?.number ?? this.#after;
      this.#isRead = lines.length < PAGE;
    }
    return this.#ready.shift();
  }

  async #run(line: BatchLine, tries: number): Promise<void> {
    const { deps, batch, signal } = this.#context;
    const { limits, clock, log } = deps;
    const { initial, max } = limits.retry;
    const pause = (0.5 + deps.random() / 2) * Math.min(max, initial * 2 ** tries);
    let run: LineRun;
    try {
      run = await runLine(this.#context, line, tries + 1 >= limits.tries);
    } catch (error) {
      if (signal.aborted) return;
      logFailure(log, error, { batch: batch.id, line: line.number }, "line of a batch not run");
      run = { result: "wait", wait: max };
    }
    switch (run.result) {
      case "ended":
        // One more is tried from time to time: the limit may have been raised, or other requests of the key may use
        // less of it.
        this.#fit += 1 / (ROUNDS * this.#fit);
        return;
      case "lost":
        return this.#state.onLost();
      case "retry":
      case "later": {
        // A line whose model was not called does not count as tried.
        const tried = run.result === "retry" ? tries + 1 : tries;
        this.#later.push({ line, tries: tried, at: clock.now() + Math.max(pause, run.wait ?? 0) });
        return;
      }
      case "crowded":
        this.#fit = Math.max(1, this.#running - 1);
        this.#later.push({ line, tries, at: clock.now() + initial });
        // A pause is needed only if no other line runs: otherwise the end of one makes room.
        if (this.#running === 1) this.#pausedUntil = clock.now() + initial;
        return;
      case "wait":
        this.#pausedUntil = Math.max(this.#pausedUntil, clock.now() + Math.max(initial, run.wait ?? 0));
        this.#later.push({ line, tries, at: this.#pausedUntil });
    }
  }

  /** Wakes the pool when the first pause is over. The returned function cancels that. */
  #wakeLater(): () => void {
    // Without room no timer is needed, because the end of a running line wakes the pool.
    if (!this.#hasRoom()) return () => {};
    const { clock } = this.#context.deps;
    let first = Number.POSITIVE_INFINITY;
    for (const { at } of this.#later) first = Math.min(first, at);
    const end = this.#pausedUntil > clock.now() ? this.#pausedUntil : first;
    return end === Number.POSITIVE_INFINITY ? () => {} : clock.after(end - clock.now(), () => this.#wake());
  }
}
