import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeferredWrite } from "../../../packages/store/src/engine/deferred-write.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Nothing is left to be written: long afterwards as little was. Timers of other files may be pending, and are let be. */
async function staysSo(count: () => number): Promise<void> {
  const before = count();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(count()).toBe(before);
}

it("what is gathered is written once, after the time for which it is gathered", async () => {
  let writes = 0;
  const deferred = createDeferredWrite(100, async () => {
    writes += 1;
    return true;
  });
  for (let n = 0; n < 3; n++) deferred.soon();
  await vi.advanceTimersByTimeAsync(99);
  expect(writes).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toBe(1);
  await deferred.flush();
  expect(writes).toBe(2);
  await staysSo(() => writes);
});

it("what is gathered while a write runs is written by the flush that follows", async () => {
  let gathered = 1;
  const written: number[] = [];
  const end = Promise.withResolvers<void>();
  const deferred = createDeferredWrite(100, async () => {
    const news = gathered;
    gathered = 0;
    if (written.length === 0) await end.promise;
    written.push(news);
    return true;
  });
  const first = deferred.flush();
  gathered = 2;
  const closed = deferred.close();
  end.resolve();
  await Promise.all([first, closed]);
  expect(written).toEqual([1, 2]);
  await staysSo(() => written.length);
});

it("a write that failed is repeated later, and no read waits for it", async () => {
  let writes = 0;
  let isAway = true;
  const deferred = createDeferredWrite(100, async () => {
    writes += 1;
    return !isAway;
  });
  deferred.soon();
  await vi.advanceTimersByTimeAsync(100);
  expect(writes).toBe(1);
  deferred.soon();
  await deferred.catchUp();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(writes).toBe(1);
  isAway = false;
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toBe(2);
  await deferred.catchUp();
  expect(writes).toBe(3);
  isAway = true;
  await deferred.close();
  expect(writes).toBe(4);
  await staysSo(() => writes);
});

/** More steps than a write has between its end and the next one. */
const STEPS = 8;

it.each(Array.from({ length: STEPS }, (_, step) => step))(
  "what is gathered %i steps after a write ends is written by the flush that follows",
  async (step) => {
    let gathered = 1;
    const written: number[] = [];
    const end = Promise.withResolvers<void>();
    const deferred = createDeferredWrite(100, async () => {
      const news = gathered;
      await end.promise;
      written.push(news);
      return true;
    });
    void deferred.flush();
    end.resolve();
    for (let passed = 0; passed < step; passed++) await Promise.resolve();
    gathered = 2;
    await deferred.flush();
    expect(written).toEqual([1, 2]);
    await staysSo(() => written.length);
  },
);
