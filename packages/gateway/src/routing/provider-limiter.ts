import { ProviderBusy } from "@manifold-gateway/providers/routing";
import { Slots } from "../limits/slots.ts";
import type { ProviderLimiter, Release } from "../ports/routing.ts";

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
