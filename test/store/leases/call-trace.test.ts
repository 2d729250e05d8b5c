import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createCallTrace,
  readTrace,
  type TracedCall,
} from "../../../packages/store/src/leases/call-trace.ts";

const callOf = (id: string): TracedCall => ({
  ...{ id, account: "acc", key: null, modality: "text", model: "m", at: 1 },
  ...{ price: '{"input":1}', surface: "chatstyle", tags: null, user: null },
});

describe("a trace of calls", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "manifold-trace-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const fileIn = () => join(folder, readdirSync(folder).find((name) => name.endsWith(".calls")) ?? "none");

  it("has each call that is still needed, in a file that does not grow without bound", () => {
    const needed = new Map<string, TracedCall>();
    const trace = createCallTrace(folder, "me", { log: undefined, open: () => needed.values() });
    let largest = 0;
    for (let i = 0; i < 20_000; i++) {
      const call = callOf(`generation-${i}`);
      expect(trace.add(call)).toBe(true);
      needed.set(call.id, call);
      // Those of before the last ten are in the database.
      needed.delete(`generation-${i - 10}`);
      if (i % 500 === 0) largest = Math.max(largest, statSync(fileIn()).size);
    }
    const read = readTrace(readFileSync(fileIn(), "utf8"));
    expect(read?.owner).toBe("me");
    expect(read?.calls).toEqual(expect.arrayContaining([...needed.values()]));
    expect(largest).toBeLessThan(300 * 1024);
    trace.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("has all calls before the place where it was cut off", () => {
    const text = fc.string({ unit: "binary" });
    const calls = fc.array(fc.record({ id: text, model: text }), { maxLength: 5 });
    fc.assert(
      fc.property(calls, fc.nat(), (some, cut) => {
        const trace = createCallTrace(folder, "me", { log: undefined, open: () => [] });
        const added = some.map(({ id, model }) => ({ ...callOf(id), model: model as string }));
        const ends = added.map((call) => {
          trace.add(call);
          return readFileSync(fileIn()).lastIndexOf("\n") + 1;
        });
        if (added.length === 0) return;
        const bytes = readFileSync(fileIn());
        trace.close();
        const length = cut % ((ends.at(-1) as number) + 1);
        const whole = ends.filter((end) => end <= length).length;
        const expected = added.slice(0, whole);
        const cutOff = bytes.subarray(0, length);
        expect(readTrace(cutOff.toString())?.calls ?? []).toEqual(expected);
        const followedByRoom = Buffer.concat([cutOff, Buffer.alloc(64)]);
        expect(readTrace(followedByRoom.toString())?.calls ?? []).toEqual(expected);
      }),
    );
  });
});
