/** When a circuit opens, and for how long. */
export interface CircuitOptions {
  /** Failures in a row that open it. */
  failures: number;
  /** Milliseconds that it stays open; after each failed probe twice as long, up to ten times. */
  openFor: number;
  /** The longest pause, in milliseconds, that a provider may ask for by `retry-after`. */
  cooling: number;
}

export const circuitDefaults: CircuitOptions = { failures: 10, openFor: 10_000, cooling: 60_000 };

/** How an entry has been doing. */
export interface EntryHealth {
  /** `half-open`: one request is let through, and decides. */
  circuit: "closed" | "open" | "half-open";
  /** Since the last success. */
  failures: number;
  /** When an open circuit lets a request through again; milliseconds since the epoch. */
  until?: number;
  /** The provider asked for a pause until then. */
  coolingUntil?: number;
  /** Milliseconds to the first byte, averaged over the last answers. */
  latency?: number;
  /** Output tokens in a second, averaged over the last answers. */
  throughput?: number;
}

/**
 * How all entries have been doing, by id. It decides at once and on the clock it is given: requests are not
 * wrapped, and nobody waits for another's probe. Published circuit breakers run the call themselves, by timers or a
 * clock of their own, and can neither be asked beforehand nor let a second request go elsewhere during a probe.
 */
export interface Health {
  /** Absent: nothing bad is known of it. */
  of(id: string): EntryHealth | undefined;
  all(): ReadonlyMap<string, EntryHealth>;
  /** A request goes to the entry: false where its circuit is open, or another's probe is under way. */
  enter(id: string): boolean;
  /** The head of an answer came after this many milliseconds: an open circuit closes. */
  answered(id: string, latency: number): void;
  /** The whole of an answer came, this many tokens in this many milliseconds. */
  completed(id: string, tokens: number, ms: number): void;
  failed(id: string): void;
  /** It neither failed nor proved anything: the caller was refused, or left. */
  left(id: string): void;
  /** It wants to be left alone for a while. */
  cool(id: string, seconds: number): void;
}

interface State {
  failures: number;
  /** Of the open circuit. */
  openedAt?: number;
  opened: number;
  probeSince?: number;
  coolingUntil: number;
  latency?: number;
  throughput?: number;
}

/** The weight of the newest answer in an average. */
const NEW = 0.3;
const average = (before: number | undefined, now: number): number =>
  before === undefined ? now : before + NEW * (now - before);

/** A probe that has not come back after this many milliseconds is not waited for. */
const PROBE = 120_000;

export function createHealth(options: CircuitOptions, now: () => number): Health {
  const states = new Map<string, State>();
  const stateOf = (id: string): State => {
    let state = states.get(id);
    if (!state) {
      state = { failures: 0, opened: 0, coolingUntil: 0 };
      states.set(id, state);
    }
    return state;
  };
  const untilOf = ({ openedAt, opened }: State): number | undefined =>
    openedAt === undefined ? undefined : openedAt + options.openFor * Math.min(10, 2 ** (opened - 1));
  const open = (state: State): void => {
    state.openedAt = now();
    state.opened += 1;
    delete state.probeSince;
  };
  const close = (state: State): void => {
    delete state.openedAt;
    delete state.probeSince;
    state.opened = 0;
  };
  const healthOf = (state: State): EntryHealth => {
    const at = now();
    const until = untilOf(state);
    const probing = state.probeSince !== undefined && at - state.probeSince < PROBE;
    return {
      circuit: until === undefined ? "closed" : at < until || probing ? "open" : "half-open",
      failures: state.failures,
      ...(until !== undefined && { until: Math.max(until, at) }),
      ...(state.coolingUntil > at && { coolingUntil: state.coolingUntil }),
      ...(state.latency !== undefined && { latency: state.latency }),
      ...(state.throughput !== undefined && { throughput: state.throughput }),
    };
  };

  return {
    of(id) {
      const state = states.get(id);
      return state && healthOf(state);
    },
    all: () => new Map([...states].map(([id, state]) => [id, healthOf(state)])),
    enter(id) {
      const state = states.get(id);
      if (!state || state.openedAt === undefined) return true;
      if (healthOf(state).circuit !== "half-open") return false;
      state.probeSince = now();
      return true;
    },
    answered(id, latency) {
      const state = stateOf(id);
      state.latency = average(state.latency, latency);
      if (state.openedAt !== undefined) {
        close(state);
        state.failures = 0;
      }
    },
    completed(id, tokens, ms) {
      const state = stateOf(id);
      state.failures = 0;
      if (tokens > 0 && ms > 0) state.throughput = average(state.throughput, (tokens * 1000) / ms);
    },
    failed(id) {
      const state = stateOf(id);
      state.failures += 1;
      // A failure of a request from before the circuit opened tells nothing new.
      if (state.openedAt !== undefined ? state.probeSince !== undefined : state.failures >= options.failures)
        open(state);
    },
    left(id) {
      const state = states.get(id);
      if (state) delete state.probeSince;
    },
    cool(id, seconds) {
      stateOf(id).coolingUntil = now() + Math.min(options.cooling, seconds * 1000);
    },
  };
}
