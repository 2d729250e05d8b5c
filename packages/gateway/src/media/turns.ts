/** Gives work its turn. Rejects with the signal's reason where that comes before the turn does. */
export type Turns = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** At most `most` pieces of work at a time, in the order in which they came. */
export function createTurns(most: number): Turns {
  let free = most;
  const waiting = new Set<() => void>();
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      if (free > 0) {
        free -= 1;
        return resolve();
      }
      waiting.add(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  return async (signal, work) => {
    await turn(signal);
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else free += 1;
    }
  };
}
