import type { CircuitState } from "./health.ts";
import { isWithin } from "./time-span.ts";

/** When a circuit opens, and for how long. */
export interface CircuitOptions {
  /** The number of failures in a row that opens it. */
  failures: number;
  /** Milliseconds for which it stays open; doubled after each failed probe, up to ten times this. */
  openFor: number;
  /** The longest pause, in milliseconds, that a provider may ask for by `retry-after`. */
  maxCooldown: number;
}

/** When circuits open and for how long, unless set otherwise. */
export const circuitDefaults: CircuitOptions = { failures: 10, openFor: 10_000, maxCooldown: 60_000 };

/** Milliseconds after which an unfinished probe no longer keeps the next one from being sent. */
const PROBE_TIMEOUT = 120_000;

/** An open circuit rejects requests until its time is over, then lets one through as a probe. */
export class Circuit {
  readonly #openFor: number;
  #since: number | undefined;
  #openedAt: number | undefined;
  #opened = 0;
  #probeSince: number | undefined;

  constructor({ openFor }: Pick<CircuitOptions, "openFor">) {
    this.#openFor = openFor;
  }

  get isClosed(): boolean {
    return this.#openedAt === undefined;
  }

  /** When it opened, in milliseconds since the epoch, however many probes have failed; undefined while it is closed. */
  get since(): number | undefined {
    return this.#since;
  }

  /** When it lets a request through again, in milliseconds since the epoch; undefined while it is closed. */
  get until(): number | undefined {
    return this.#openedAt === undefined
      ? undefined
      : this.#openedAt + this.#openFor * Math.min(10, 2 ** (this.#opened - 1));
  }

  isOpenAt(now: number): boolean {
    return this.#openedAt !== undefined && this.at(now) === "open";
  }

  at(now: number): CircuitState {
    const { until } = this;
    if (this.#openedAt === undefined || until === undefined) return "closed";
    const since = this.#probeSince;
    const probing = since !== undefined && isWithin({ from: since, until: since + PROBE_TIMEOUT }, now);
    return probing || isWithin({ from: this.#openedAt, until }, now) ? "open" : "half-open";
  }

  /** Marks the request that goes through a half-open circuit as its probe. */
  probe(now: number): void {
    if (!this.isClosed) this.#probeSince = now;
  }

  /**
   * Checks whether a failure opens it: a closed circuit if there were `enough`, an open one if its probe failed.
   */
  opensOn(enough: boolean): boolean {
    // Without a probe, the failure is of a request sent before the circuit opened: it does not count.
    return this.isClosed ? enough : this.#probeSince !== undefined;
  }

  open(now: number): void {
    this.#since ??= now;
    this.#openedAt = now;
    this.#opened += 1;
    this.#probeSince = undefined;
  }

  close(): void {
    this.#since = undefined;
    this.#openedAt = undefined;
    this.#probeSince = undefined;
    this.#opened = 0;
  }

  /** Forgets a probe that proved nothing, so that another request can be the probe. */
  leave(): void {
    this.#probeSince = undefined;
  }
}
