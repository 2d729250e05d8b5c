import { expect, it } from "vitest";
import { NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

export const accounts: Context = (database) => {
  const store = useStore(database);

  it("an account is made once and takes a new name", async () => {
    const made = await store().accounts.ensure({ id: "ada", name: "Ada", at: NOW });
    expect(made).toEqual({ id: "ada", name: "Ada", isActive: true, balance: 0, held: 0, createdAt: NOW });
    await store().accounts.ensure({ id: "ada", name: "Ada L.", at: NOW + 1 });
    expect(await store().accounts.get("ada")).toEqual({ ...made, name: "Ada L." });
    expect(await store().accounts.get("nobody")).toBeUndefined();
    expect(await store().accounts.names(["ada", "nobody"])).toEqual(new Map([["ada", "Ada L."]]));
    expect(await store().accounts.names([])).toEqual(new Map());
  });

  it("credit is given once for each reference", async () => {
    const { accounts } = store();
    await accounts.ensure({ id: "bob", name: "Bob", at: NOW });
    const credit = {
      accountId: "bob",
      amount: 2_500_000,
      kind: "topup" as const,
      reference: "invoice-1",
      at: NOW,
    };
    const given = await Promise.all([accounts.credit(credit), accounts.credit(credit)]);
    expect(given.toSorted()).toEqual([false, true]);
    expect(await accounts.credit({ ...credit, amount: 1, kind: "writeoff", reference: "gift" })).toBe(true);
    expect((await accounts.get("bob"))?.balance).toBe(2_500_001);
  });

  it("amounts beyond 32 bits are held exactly", async () => {
    const { accounts } = store();
    await accounts.ensure({ id: "rich", name: "Rich", at: NOW });
    const amount = 9_007_199_254_740_990;
    await accounts.credit({ accountId: "rich", amount, kind: "topup", reference: "rich-1", at: NOW });
    expect((await accounts.get("rich"))?.balance).toBe(amount);
    const more = { accountId: "rich", amount: 2, kind: "topup" as const, reference: "rich-2", at: NOW };
    await expect(accounts.credit(more)).rejects.toThrow();
    expect((await accounts.get("rich"))?.balance).toBe(amount);
  });

  it("credit is refused that is no amount or for no account, and so are accounts with the ledger's names", async () => {
    const { accounts } = store();
    const credit = { accountId: "ada", amount: 1, kind: "topup" as const, reference: "bad", at: NOW };
    for (const amount of [0, -1, 0.5, Number.NaN, 2 ** 53])
      await expect(accounts.credit({ ...credit, amount })).rejects.toThrow(/amount must be/);
    await expect(accounts.credit({ ...credit, accountId: "nobody" })).rejects.toThrow('no account "nobody"');
    for (const reference of ["charge:g1", "correction:g1", "refund:g1"])
      await expect(accounts.credit({ ...credit, reference })).rejects.toThrow(RangeError);
    // What was refused has not used the reference up.
    expect(await accounts.credit(credit)).toBe(true);
    await expect(accounts.ensure({ id: "house", name: "x", at: NOW })).rejects.toThrow("reserved");
  });

  it("accounts are listed in pages and switched off", async () => {
    const { accounts } = store();
    const { total } = await accounts.list({ offset: 0, limit: 1 });
    await accounts.ensure({ id: "zoe", name: "Zoe", at: NOW + 10 });
    const page = await accounts.list({ offset: total, limit: 5 });
    expect(page.total).toBe(total + 1);
    expect(page.results.map(({ id }) => id)).toEqual(["zoe"]);
    expect(await accounts.change("zoe", { isActive: false })).toBe(true);
    expect((await accounts.get("zoe"))?.isActive).toBe(false);
    expect(await accounts.change("nobody", { isActive: false })).toBe(false);
  });

  it("an account is found by its login, which no two share", async () => {
    const { accounts, keys } = store();
    for (const id of ["eve", "mallory"]) await accounts.ensure({ id, name: "Same Name", at: NOW });
    const before = await keys.revision();
    const password = { id: "eve", login: "eve@example", hash: "h1", at: NOW };
    expect(await accounts.findLogin("eve@example")).toBeUndefined();
    expect(await accounts.setPassword(password)).toBe("set");
    expect(await accounts.setPassword({ ...password, id: "mallory" })).toBe("taken");
    expect(await accounts.setPassword({ ...password, id: "nobody", login: "x" })).toBe("missing");
    expect(await accounts.setPassword({ ...password, hash: "h3", first: true })).toBe("taken");
    expect(await accounts.setPassword({ ...password, id: "nobody", first: true })).toBe("taken");
    expect(await accounts.setPassword({ ...password, hash: "h2", at: NOW + 1 })).toBe("set");
    const login = { login: "eve@example", passwordAt: NOW + 1 };
    expect(await accounts.findLogin("eve@example")).toMatchObject({
      account: { id: "eve", ...login },
      passwordHash: "h2",
    });
    expect(await accounts.get("eve")).toMatchObject(login);
    expect(await accounts.get("mallory")).not.toHaveProperty("login");
    expect(await keys.revision()).toBe(before + 2);
  });

  it("every cache of callers hears that an account is no longer active", async () => {
    const before = await store().keys.revision();
    expect(await store().accounts.change("eve", { isActive: false })).toBe(true);
    expect(await store().keys.revision()).toBe(before + 1);
    expect((await store().accounts.findLogin("eve@example"))?.account.isActive).toBe(false);
    expect(await store().accounts.change("nobody", { isActive: false })).toBe(false);
    expect(await store().keys.revision()).toBe(before + 1);
  });
};
