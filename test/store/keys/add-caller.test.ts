import { addCaller, lookupHash, openSqlite, ReferenceTaken, type Store } from "@manifold-gateway/store";
import { afterEach, beforeEach, expect, it } from "vitest";

let store: Store;
beforeEach(async () => {
  store = await openSqlite({ path: ":memory:" });
});
afterEach(() => store.close());

it("a caller gets an account, its credit once, and a key for each call", async () => {
  const first = await addCaller(store, { account: "me", credit: 5 });
  const second = await addCaller(store, { account: "me", credit: 5 });
  expect(second).not.toBe(first);
  for (const key of [first, second])
    expect(await store.keys.find(lookupHash(key))).toMatchObject({ accountId: "me", isActive: true });
  expect(await store.accounts.get("me")).toMatchObject({ name: "me", balance: 5 });
});

it("a caller with a key of its own keeps it over restarts, and another account cannot have it", async () => {
  const key = "k".repeat(32);
  const options = { account: "me", name: "Me", key };
  expect([await addCaller(store, options), await addCaller(store, options)]).toEqual([key, key]);
  expect(await store.keys.list("me")).toHaveLength(1);
  await addCaller(store, { account: "me" });
  expect(await store.accounts.get("me")).toMatchObject({ name: "Me" });
  await expect(addCaller(store, { account: "you", key })).rejects.toThrow(/belongs to account "me"/);
});

it("a caller is refused a short or mistyped key, and other credit under the same name", async () => {
  for (const key of ["short", `mfk_${"0".repeat(49)}`])
    await expect(addCaller(store, { account: "me", key })).rejects.toThrow(/^addCaller: key: /);
  await addCaller(store, { account: "me", credit: 5 });
  await expect(addCaller(store, { account: "me", credit: 6 })).rejects.toThrow(ReferenceTaken);
  await expect(addCaller(store, { account: "me", credit: Number.NaN })).rejects.toThrow(RangeError);
});
