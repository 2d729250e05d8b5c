import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gatherLines } from "../../../apps/server/src/logging/gather-lines.ts";

/** A gatherer and what it wrote. */
function open() {
  const writes: string[] = [];
  return { writes, take: gatherLines((lines) => void writes.push(lines)) };
}

const foreign = process.listeners("exit");
const atExit = () => process.listeners("exit").filter((listener) => !foreign.includes(listener));
const exit = (): void => {
  for (const listener of atExit()) listener(0);
};

describe("gathered lines", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are written together after 5 ms", () => {
    const { writes, take } = open();
    take("a\n", false);
    vi.advanceTimersByTime(4);
    take("b\n", false);
    expect(writes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(writes).toEqual(["a\nb\n"]);
    take("c\n", false);
    vi.advanceTimersByTime(5);
    expect(writes).toEqual(["a\nb\n", "c\n"]);
  });

  it("are written at once with an urgent one, and no second time", () => {
    const { writes, take } = open();
    take("a\n", false);
    take("b\n", true);
    expect(writes).toEqual(["a\nb\n"]);
    vi.runAllTimers();
    exit();
    expect(writes).toEqual(["a\nb\n"]);
  });

  it("are written when the process exits", () => {
    const { writes, take } = open();
    take("a\n", false);
    exit();
    expect(writes).toEqual(["a\n"]);
    expect(atExit()).toEqual([]);
  });

  it("stay whole and in order, in writes that a pipe takes whole", () => {
    const line = fc
      .tuple(fc.constantFrom("a", "é", "😀"), fc.integer({ min: 1, max: 1500 }))
      .map(([one, length]) => `${one.repeat(length)}\n`);
    const then = fc.constantFrom("urgent", "wait", ...Array<string>(8).fill("next"));
    fc.assert(
      fc.property(fc.array(fc.record({ line, then })), (entries) => {
        const { writes, take } = open();
        for (const { line, then } of entries) {
          take(line, then === "urgent");
          if (then === "wait") vi.runAllTimers();
        }
        vi.runAllTimers();
        expect(writes.join("")).toBe(entries.map(({ line }) => line).join(""));
        for (const lines of writes) {
          expect(lines).toMatch(/\n$/);
          const isAlone = lines.indexOf("\n") === lines.length - 1;
          if (!isAlone) expect(Buffer.byteLength(lines)).toBeLessThanOrEqual(4096);
        }
      }),
    );
  });
});
