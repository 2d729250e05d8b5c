/** A timer that keeps no process alive by itself, in runtimes where one would. */
export function quietTimeout(work: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, ms);
  // Elsewhere a timer is a number.
  timer.unref?.();
  return timer;
}
