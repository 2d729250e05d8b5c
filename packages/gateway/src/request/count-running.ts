/** Counts the requests that are running, for a stop that waits for them. */
export function countRunning() {
  let running = 0;
  let onIdle: (() => void) | undefined;
  return {
    begun(): void {
      running += 1;
    },
    ended(): void {
      running -= 1;
      if (running === 0) onIdle?.();
    },
    /** Resolves when none is running. */
    async allEnded(): Promise<void> {
      if (running > 0)
        await new Promise<void>((resolve) => {
          onIdle = resolve;
        });
    },
  };
}
