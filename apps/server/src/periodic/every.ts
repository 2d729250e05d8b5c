/**
 * Does work at intervals of `ms`, never twice at the same time: if it takes longer, the next turn is skipped. `failed`
 * gets its errors. Returns a function that stops it and resolves when running work has ended.
 */
export function every(
  ms: number,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
  { isFirstNow = false } = {},
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= work()
      .catch(failed)
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(run, ms);
  if (isFirstNow) run();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
