import { parseWire } from "@manifold-gateway/core";
import { isTooComplex, parseBounded } from "@manifold-gateway/core/codec";
import { describe, expect, it } from "vitest";

const list = (item: string, count: number): string => `[${`${item},`.repeat(count)}0]`;

describe("JSON that takes many times its text in memory", () => {
  it.each([
    ["objects", list("{}", 2_000_001)],
    ["lists", list("[]", 2_000_001)],
    ["members", list('{"a":1,"b":2}', 700_000)],
    ["levels", `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`],
  ])("is not read: %s", (_, text) => {
    expect(isTooComplex(text)).toBe(true);
    expect([parseBounded(text), parseWire(text)]).toEqual([undefined, undefined]);
  });

  it.each([
    ["numbers", list("0.1", 3_000_000)],
    ["what looks like it in a string", JSON.stringify("[{:".repeat(2_000_000))],
    ["fewer objects", list("{}", 300_000)],
  ])("is not taken for it: %s", (_, text) => {
    expect(isTooComplex(text)).toBe(false);
    expect(parseBounded(text)).toBeDefined();
  });
});
