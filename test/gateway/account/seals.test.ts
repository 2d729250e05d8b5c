import { createKeyVault } from "@manifold-gateway/gateway/admin";
import { expect, it } from "vitest";

const [first, second, third] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const sealsOf = (...secrets: Uint8Array[]) => createKeyVault(secrets)!;
const KEY = "a raw key";

it("a copy sealed by any secret still in the list opens, wherever the secret stands", () => {
  const old = sealsOf(first).seal(KEY, "key");
  const young = sealsOf(first, second).seal(KEY, "key");
  for (const now of [sealsOf(first, second), sealsOf(second, first), sealsOf(third, first, second)]) {
    expect(now.open(old, "key")).toBe(KEY);
    expect(now.open(young, "key")).toBe(KEY);
  }
  expect(sealsOf(second).open(young, "key")).toBe(KEY);
});

it("a copy of a removed secret, or one sealed for another key, does not open", () => {
  const sealed = sealsOf(first).seal(KEY, "key");
  expect(sealsOf(second).open(sealed, "key")).toBeUndefined();
  expect(sealsOf(first).open(sealed, "other")).toBeUndefined();
});

it("a copy says which secret sealed it, so that a configured key is sealed anew", () => {
  const version = (...secrets: Uint8Array[]) => sealsOf(...secrets).seal(KEY, "key").version;
  expect(version(first)).not.toBe(version(second));
  expect(version(first, second)).toBe(version(second));
});

it("a copy that is numbered by the position of its secret still opens", () => {
  const sealed = { ...sealsOf(first).seal(KEY, "key"), version: 1 };
  expect(sealsOf(second, first).open(sealed, "key")).toBe(KEY);
});
