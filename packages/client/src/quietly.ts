/** Calls a callback, whose errors do not reach the answer. */
export function quietly(work: () => unknown): void {
  try {
    const result = work();
    if (result instanceof Promise) result.catch(() => {});
  } catch {
    // The answer does not depend on who watches it.
  }
}
