import type { Provider } from "@manifold-gateway/providers";
import type { ProviderLimiter, Release } from "../ports/routing.ts";

/** The provider's concurrency limit was reached, and no slot became free in time. */
export class Busy extends Error {
  constructor() {
    super("The provider's concurrency limit is reached.");
  }
}

interface Gate {
  running: number;
  waiting: Set<() => void>;
}

const nothing: Release = () => {};

export function createProviderLimiter(): ProviderLimiter {
  const gates = new Map<string, Gate>();
  return {
    enter({ id, concurrency }) {
      if (!concurrency) return nothing;
      let gate = gates.get(id);
      if (!gate) {
        gate = { running: 0, waiting: new Set() };
        gates.set(id, gate);
      }
      return enter(gate, concurrency);
    },
    all: () =>
      new Map([...gates].map(([id, { running, waiting }]) => [id, { running, waiting: waiting.size }])),
  };
}

function enter(
  gate: Gate,
  { maxConcurrent: most, queue = most, wait = 5_000 }: NonNullable<Provider["concurrency"]>,
) {
  const admit = (): Release => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = gate.waiting;
      if (next) next();
      else gate.running -= 1;
    };
  };
  if (gate.running < most) {
    gate.running += 1;
    return admit();
  }
  if (gate.waiting.size >= queue) return Promise.reject(new Busy());
  return new Promise<Release>((resolve, reject) => {
    const turn = (): void => {
      clearTimeout(timer);
      gate.waiting.delete(turn);
      // The freed slot is taken over, so `running` stays the same.
      resolve(admit());
    };
    const timer = setTimeout(() => {
      gate.waiting.delete(turn);
      reject(new Busy());
    }, wait);
    gate.waiting.add(turn);
  });
}
