import type { Provider } from "../provider.ts";
import { ProviderBusy } from "./provider-unavailable.ts";
import { Slots } from "./slots.ts";

/** Frees the slot of a request; further calls do nothing. */
export type Release = () => void;

/** Limits the running requests of each provider, in this process. */
export interface ProviderLimiter {
  /**
   * Resolves when a slot is free; undefined if the provider has no limit. Rejects with `ProviderBusy` after the provider's
   * limit on waiting.
   */
  enter(provider: Provider): Release | Promise<Release> | undefined;
  /** The running and waiting requests of each limited provider that has been called. */
  all(): ReadonlyMap<string, Load>;
}

/** The load of a provider in this process. */
export interface Load {
  /** Requests that are running. */
  running: number;
  /** Requests that wait for a slot. */
  waiting: number;
}

/** Limits each provider by its own `concurrency`. */
export function createProviderLimiter(): ProviderLimiter {
  /** The limit of each provider that has been called: a reload may change it. */
  const limits = new Map<string, number>();
  const slots = new Slots({ each: (id) => limits.get(id) ?? 0 });

  const enterInTurn = async (id: string, wait: number): Promise<Release> => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new ProviderBusy()), wait);
    try {
      const slot = await slots.enter(id, late.signal);
      return () => slots.release(slot);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    enter({ id, concurrency }) {
      if (!concurrency) return undefined;
      const { maxConcurrent, queue = maxConcurrent, wait = 5_000 } = concurrency;
      if (limits.get(id) !== maxConcurrent) {
        limits.set(id, maxConcurrent);
        slots.admit();
      }
      const slot = slots.take(id);
      if (slot) return () => slots.release(slot);
      return slots.waitingOf(id) >= queue ? Promise.reject(new ProviderBusy()) : enterInTurn(id, wait);
    },
    all: () =>
      new Map(
        [...limits.keys()].map((id) => [id, { running: slots.countOf(id), waiting: slots.waitingOf(id) }]),
      ),
  };
}
