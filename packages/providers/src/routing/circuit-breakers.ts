import { Circuit, type CircuitOptions } from "./circuit.ts";
import type { CircuitBreakers, CircuitState, EntryHealth } from "./health.ts";
import { isWithin, noTime, type TimeSpan } from "./time-span.ts";

/** The failures of one account at an entry. */
interface AccountBreaker {
  /** Failures since this account's last success. */
  failures: number;
  circuit: Circuit;
}

interface State {
  circuit: Circuit;
  /** Failures by account, since the last success of any account. */
  failures: Map<string, number>;
  /** When accounts last got a whole answer, in milliseconds since the epoch. Those that failed since are not in it. */
  successes: Map<string, number>;
  accountBreakers: Map<string, AccountBreaker>;
  cooling: TimeSpan;
  latency?: number;
  throughput?: number;
}

/** The weight of the newest value in a moving average. */
const NEWEST_WEIGHT = 0.3;
const average = (before: number | undefined, now: number): number =>
  before === undefined ? now : before + NEWEST_WEIGHT * (now - before);

/** The most accounts whose failures are kept for an entry. */
const MAX_ACCOUNTS = 1_000;

/**
 * The part of the failures opening the common circuit that one account can cause, as 1 in this many.
 */
const SHARE_DIVISOR = 3;

/** `changed` is called when a circuit opens or closes: an account's, or without `account` the common one. */
export function createCircuitBreakers(
  options: CircuitOptions,
  now: () => number,
  changed: (id: string, state: CircuitState, account?: string) => void = () => {},
): CircuitBreakers {
  const states = new Map<string, State>();
  const share = Math.ceil(options.failures / SHARE_DIVISOR);

  const stateOf = (id: string): State => {
    let state = states.get(id);
    if (!state) {
      state = {
        circuit: new Circuit(options),
        failures: new Map(),
        successes: new Map(),
        accountBreakers: new Map(),
        cooling: noTime,
      };
      states.set(id, state);
    }
    return state;
  };
  const accountBreakerOf = ({ accountBreakers }: State, account: string): AccountBreaker => {
    let found = accountBreakers.get(account);
    if (!found) {
      if (accountBreakers.size >= MAX_ACCOUNTS)
        accountBreakers.delete(accountBreakers.keys().next().value as string);
      found = { failures: 0, circuit: new Circuit(options) };
      accountBreakers.set(account, found);
    }
    return found;
  };
  /** Failures that count for the common circuit: each account's, up to its share. */
  const shared = ({ failures }: State): number => {
    let sum = 0;
    for (const count of failures.values()) sum += Math.min(count, share);
    return sum;
  };
  /** Checks whether the entry serves accounts that do not see the failures, which are then not the provider's. */
  const servesOthers = ({ successes }: State): boolean => {
    const at = now();
    for (const from of successes.values())
      if (isWithin({ from, until: from + options.openFor }, at)) return true;
    return false;
  };
  const isOpen = (id: string, account: string): boolean => {
    const state = states.get(id);
    // By far the most usual state, which no time can change.
    if (!state || (state.circuit.isClosed && state.accountBreakers.size === 0)) return false;
    const at = now();
    return state.circuit.isOpenAt(at) || state.accountBreakers.get(account)?.circuit.isOpenAt(at) === true;
  };
  const describe = (state: State, accountBreaker?: AccountBreaker): EntryHealth => {
    const at = now();
    const circuits = accountBreaker ? [state.circuit, accountBreaker.circuit] : [state.circuit];
    const found = circuits.map((circuit) => circuit.at(at));
    const until = Math.max(...circuits.map((circuit) => circuit.until ?? 0));
    const since = Math.min(...circuits.map((circuit) => circuit.since ?? Number.POSITIVE_INFINITY));
    return {
      circuit: found.includes("open") ? "open" : found.includes("half-open") ? "half-open" : "closed",
      failures: Math.max(shared(state), accountBreaker?.failures ?? 0),
      ...(since < Number.POSITIVE_INFINITY && { openSince: since }),
      ...(until > 0 && { until: Math.max(until, at) }),
      ...(isWithin(state.cooling, at) && { coolingUntil: state.cooling.until }),
      ...(state.latency !== undefined && { latency: state.latency }),
      ...(state.throughput !== undefined && { throughput: state.throughput }),
    };
  };

  return {
    of(id, account) {
      const state = states.get(id);
      return state && describe(state, state.accountBreakers.get(account));
    },
    isOpen,
    all: () =>
      new Map(
        [...states].map(([id, state]) => {
          const open = [...state.accountBreakers.values()].filter(
            ({ circuit }) => circuit.at(now()) === "open",
          ).length;
          return [id, { ...describe(state), ...(open > 0 && { openAccounts: open }) }];
        }),
      ),
    enter(id, account) {
      if (isOpen(id, account)) return false;
      const state = states.get(id);
      if (state && !state.circuit.isClosed) state.circuit.probe(now());
      state?.accountBreakers.get(account)?.circuit.probe(now());
      return true;
    },
    answered(id, account, latency) {
      const state = stateOf(id);
      state.latency = average(state.latency, latency);
      if (!state.circuit.isClosed) {
        state.circuit.close();
        state.failures.clear();
        changed(id, "closed");
      }
      if (state.accountBreakers.size === 0) return;
      const accountBreaker = state.accountBreakers.get(account);
      if (accountBreaker && !accountBreaker.circuit.isClosed) {
        state.accountBreakers.delete(account);
        state.failures.delete(account);
        changed(id, "closed", account);
      }
    },
    completed(id, account, tokens, ms) {
      const state = stateOf(id);
      // Clearing allocates a new table, even for an empty map.
      if (state.failures.size > 0) state.failures.clear();
      if (state.accountBreakers.size > 0) state.accountBreakers.delete(account);
      const { successes } = state;
      if (successes.size >= MAX_ACCOUNTS && !successes.has(account))
        successes.delete(successes.keys().next().value as string);
      successes.set(account, now());
      if (tokens > 0 && ms > 0) state.throughput = average(state.throughput, (tokens * 1000) / ms);
    },
    failed(id, account) {
      const state = stateOf(id);
      const accountBreaker = accountBreakerOf(state, account);
      accountBreaker.failures += 1;
      state.successes.delete(account);
      if (state.failures.size < MAX_ACCOUNTS || state.failures.has(account))
        state.failures.set(account, (state.failures.get(account) ?? 0) + 1);
      if (accountBreaker.circuit.opensOn(accountBreaker.failures >= options.failures)) {
        accountBreaker.circuit.open(now());
        changed(id, "open", account);
      }
      const isShared = state.failures.size > 1 && shared(state) >= options.failures;
      if (state.circuit.opensOn(isShared && !servesOthers(state))) {
        state.circuit.open(now());
        changed(id, "open");
      }
    },
    inconclusive(id, account) {
      const state = states.get(id);
      state?.circuit.leave();
      state?.accountBreakers.get(account)?.circuit.leave();
    },
    cool(id, seconds) {
      const at = now();
      stateOf(id).cooling = { from: at, until: at + Math.min(options.maxCooldown, seconds * 1000) };
    },
    reset(id) {
      const state = states.get(id);
      if (!state) return;
      state.circuit.close();
      state.failures.clear();
      state.successes.clear();
      state.accountBreakers.clear();
      state.cooling = noTime;
      changed(id, "closed");
    },
  };
}
