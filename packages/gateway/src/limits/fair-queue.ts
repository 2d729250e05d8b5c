/** Runs work in its owner's turn. Rejects with the signal's reason if it aborts before that. */
export type Turns = <T>(owner: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Runs at most `most` pieces of work at the same time, and `each` of one owner. Waiting owners take turns, however
 * many pieces they have; an owner's pieces run in the order of their arrival.
 */
export function createTurns({ most, each }: { most: number; each: number }): Turns {
  let free = most;
  const running = new Map<string, number>();
  /** Waiting work by owner. The owner that has waited longest comes first. */
  const waiting = new Map<string, Set<() => void>>();

  const mayEnter = (owner: string): boolean => free > 0 && (running.get(owner) ?? 0) < each;
  const take = (owner: string): void => {
    free -= 1;
    running.set(owner, (running.get(owner) ?? 0) + 1);
  };
  const remove = (owner: string, enter: () => void): void => {
    const queue = waiting.get(owner);
    queue?.delete(enter);
    if (queue?.size === 0) waiting.delete(owner);
  };
  const giveBack = (owner: string): void => {
    free += 1;
    const left = (running.get(owner) ?? 1) - 1;
    if (left > 0) running.set(owner, left);
    else running.delete(owner);
    for (const [next, queue] of waiting) {
      const [enter] = queue;
      if (!enter || !mayEnter(next)) continue;
      queue.delete(enter);
      // The owner goes to the end of the queue.
      waiting.delete(next);
      if (queue.size > 0) waiting.set(next, queue);
      take(next);
      enter();
      return;
    }
  };

  const turn = (owner: string, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (mayEnter(owner)) {
        take(owner);
        return resolve();
      }
      const leave = (): void => {
        remove(owner, enter);
        reject(signal?.reason);
      };
      const enter = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const queue = waiting.get(owner) ?? new Set();
      waiting.set(owner, queue.add(enter));
      signal?.addEventListener("abort", leave, { once: true });
    });
  return async (owner, work, signal) => {
    await turn(owner, signal);
    try {
      return await work();
    } finally {
      giveBack(owner);
    }
  };
}
