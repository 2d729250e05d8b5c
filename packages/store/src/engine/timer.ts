/** A timer that does not keep the process alive. */
export function unrefTimeout(work: () => unknown, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, ms);
  // In other runtimes a timer is a number, without `unref`.
  timer.unref?.();
  return timer;
}
