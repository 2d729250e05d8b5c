/** Calls a callback of the program and ignores its errors, sync or async: they must not change the answer. */
export function ignoreErrors(callback: () => unknown): void {
  try {
    const result = callback();
    if (result instanceof Promise) result.catch(() => {});
  } catch {}
}
