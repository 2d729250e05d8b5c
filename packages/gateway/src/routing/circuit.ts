import type { CircuitState } from "../ports/routing.ts";
/** When a circuit opens, and for how long. */
export interface CircuitOptions {
  /** Failures in a row that open it. */
  failures: number;
  /** Milliseconds that it stays open; after each failed probe twice as long, up to ten times. */
  openFor: number;
  /** The longest pause, in milliseconds, that a provider may ask for by `retry-after`. */
  maxCooldown: number;
}

export const circuitDefaults: CircuitOptions = { failures: 10, openFor: 10_000, maxCooldown: 60_000 };

/** A probe that has not come back after this many milliseconds is not waited for. */
const PROBE = 120_000;

/** An open circuit turns requests away until its time is over, then lets one through as a probe. */
export class Circuit {
  readonly #openFor: number;
  #openedAt: number | undefined;
  #opened = 0;
  #probeSince: number | undefined;

  constructor({ openFor }: Pick<CircuitOptions, "openFor">) {
    this.#openFor = openFor;
  }

  get isClosed(): boolean {
    return this.#openedAt === undefined;
  }

  /** When it lets a request through again, in milliseconds since the epoch; nothing while it is closed. */
  get until(): number | undefined {
    return this.#openedAt === undefined
      ? undefined
      : this.#openedAt + this.#openFor * Math.min(10, 2 ** (this.#opened - 1));
  }

  at(now: number): CircuitState {
    const { until } = this;
    if (until === undefined) return "closed";
    const probing = this.#probeSince !== undefined && now - this.#probeSince < PROBE;
    return now < until || probing ? "open" : "half-open";
  }

  /** Marks the request that goes through a half-open circuit as its probe. */
  probe(now: number): void {
    if (!this.isClosed) this.#probeSince = now;
  }

  /**
   * Checks whether a failure opens it: a closed circuit after `enough` of them, an open one where its probe failed.
   */
  opensOn(enough: boolean): boolean {
    // A failure of a request from before the circuit opened is no news.
    return this.isClosed ? enough : this.#probeSince !== undefined;
  }

  open(now: number): void {
    this.#openedAt = now;
    this.#opened += 1;
    this.#probeSince = undefined;
  }

  close(): void {
    this.#openedAt = undefined;
    this.#probeSince = undefined;
    this.#opened = 0;
  }

  /** Forgets a probe that proved nothing, so that another request may be the next. */
  leave(): void {
    this.#probeSince = undefined;
  }
}
