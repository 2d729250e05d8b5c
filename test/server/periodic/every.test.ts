import { expect, it, vi } from "vitest";
import { every } from "../../../apps/server/src/periodic/every.ts";

/** Work that ends when a test lets it; counts how often it began. */
function heldWork() {
  let release = (): void => {};
  const work = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  return { work, release: () => release() };
}

it("work at intervals never runs twice at one time, and its end waits for what runs", async () => {
  vi.useFakeTimers();
  try {
    const { work, release } = heldWork();
    const end = every(10, work, () => {});
    await vi.advanceTimersByTimeAsync(55);
    expect(work).toHaveBeenCalledTimes(1);
    release();
    await vi.advanceTimersByTimeAsync(10);
    expect(work).toHaveBeenCalledTimes(2);
    let hasEnded = false;
    const ended = end().then(() => {
      hasEnded = true;
    });
    await vi.advanceTimersByTimeAsync(100);
    expect([hasEnded, work.mock.calls.length]).toEqual([false, 2]);
    release();
    await ended;
  } finally {
    vi.useRealTimers();
  }
});

it("work at intervals goes on after an error, which is reported", async () => {
  vi.useFakeTimers();
  try {
    const failed = vi.fn();
    const end = every(10, () => Promise.reject(new Error("broken")), failed, { isFirstNow: true });
    await vi.advanceTimersByTimeAsync(20);
    expect(failed).toHaveBeenCalledTimes(3);
    await end();
  } finally {
    vi.useRealTimers();
  }
});
