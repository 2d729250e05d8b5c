import { createKeyVault } from "@manifold/gateway/admin";
import { expect, it } from "vitest";

const [first, second, third] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const sealsOf = (...secrets: Uint8Array[]) => createKeyVault(secrets)!;
const KEY = "a raw key";

it("opens what any secret sealed that is still there, wherever it stands", () => {
  const old = sealsOf(first).seal(KEY, "key");
  const young = sealsOf(first, second).seal(KEY, "key");
  for (const now of [sealsOf(first, second), sealsOf(second, first), sealsOf(third, first, second)]) {
    expect(now.open(old, "key")).toBe(KEY);
    expect(now.open(young, "key")).toBe(KEY);
  }
  expect(sealsOf(second).open(young, "key")).toBe(KEY);
});

it("says nothing of what a secret sealed that was taken out, or of another key's copy", () => {
  const sealed = sealsOf(first).seal(KEY, "key");
  expect(sealsOf(second).open(sealed, "key")).toBeUndefined();
  expect(sealsOf(first).open(sealed, "other")).toBeUndefined();
});

it("tells one secret's copies from another's, so that a configured key is sealed anew", () => {
  const version = (...secrets: Uint8Array[]) => sealsOf(...secrets).seal(KEY, "key").version;
  expect(version(first)).not.toBe(version(second));
  expect(version(first, second)).toBe(version(second));
});

it("opens copies that were numbered by the place of their secret", () => {
  const sealed = { ...sealsOf(first).seal(KEY, "key"), version: 1 };
  expect(sealsOf(second, first).open(sealed, "key")).toBe(KEY);
});
