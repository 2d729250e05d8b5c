import { beforeAll, expect, it } from "vitest";
import { elsewhere, makeCaller, makeReservation, priced } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

/** Each breaks one total by hand, and each is undone by hand before the next. */
const DAMAGES: [what: string, damage: string, repair: string, invariants: RegExp[]][] = [
  [
    "a balance",
    "UPDATE accounts SET balance = balance + 1",
    "UPDATE accounts SET balance = balance - 1",
    [/^the balance of/, /^all accounts/],
  ],
  [
    "a hold",
    "UPDATE accounts SET held = held + 1",
    "UPDATE accounts SET held = held - 1",
    [/^what an account holds/],
  ],
  [
    "a window's hold",
    "UPDATE key_spend SET held = held + 1 WHERE kind = 'weekly'",
    "UPDATE key_spend SET held = held - 1 WHERE kind = 'weekly'",
    [/^what is held in a window/],
  ],
  [
    "a window's spend",
    "UPDATE key_spend SET spent = spent + 1 WHERE kind = 'total'",
    "UPDATE key_spend SET spent = spent - 1 WHERE kind = 'total'",
    [/^what is spent in a window/, /^what an account's keys spent/],
  ],
  [
    "a window that nobody used",
    "INSERT INTO key_spend (key_id, kind, win, spent, held) SELECT id, 'daily', 'never', 1, 0 FROM api_keys",
    "DELETE FROM key_spend WHERE win = 'never'",
    [/^what is spent in a window/],
  ],
  [
    "a status",
    "UPDATE generations SET status = 'failed' WHERE status = 'pending'",
    "UPDATE generations SET status = 'pending' WHERE status = 'failed'",
    [/^what an account holds/, /^what is held in a window/, /^the sums of an hour/],
  ],
  [
    "whose a generation is",
    "UPDATE generations SET checkpoint = key_id, key_id = 'nobody' WHERE status = 'pending'",
    "UPDATE generations SET key_id = checkpoint, checkpoint = NULL WHERE status = 'pending'",
    [/^a generation belongs to/, /^what is held in a window/],
  ],
  [
    "a cost",
    "UPDATE generations SET cost = cost + 1 WHERE cost = 6",
    "UPDATE generations SET cost = cost - 1 WHERE cost = 7",
    [/^a generation has one charge/, /^a charge is what/, /^the sums of an hour/],
  ],
  [
    "the cost of what was corrected",
    "UPDATE generations SET cost = cost + 1, usage = '{\"output\":5}' WHERE cost = 4",
    "UPDATE generations SET cost = cost - 1, usage = NULL WHERE cost = 5",
    [/^a generation has one charge/, /^the sums of an hour/],
  ],
  [
    "a correction of nothing",
    `UPDATE generations SET id = 'x' || id WHERE cost = 4`,
    `UPDATE generations SET id = substr(id, 2) WHERE cost = 4`,
    [
      /^a charge, a correction or a refund is of/,
      /^a generation has one charge/,
      /^what is spent in a window/,
      /^what an account's keys spent/,
    ],
  ],
  [
    "a price",
    `UPDATE generations SET price = '{"output":7000000}' WHERE cost = 6`,
    `UPDATE generations SET price = '{"output":2000000}' WHERE cost = 6`,
    [/^a charge is what/],
  ],
  [
    "a usage beyond belief",
    `UPDATE generations SET usage = '{"output":-1}' WHERE cost = 6`,
    `UPDATE generations SET usage = '{"output":3}' WHERE cost = 6`,
    [/^a charge is what/, /^the sums of an hour/],
  ],
  [
    "the sums of an hour",
    "UPDATE hourly_sums SET requests = requests + 1 WHERE status = 'succeeded'",
    "UPDATE hourly_sums SET requests = requests - 1 WHERE status = 'succeeded'",
    [/^the sums of an hour/],
  ],
  [
    "an hour that had no request",
    `INSERT INTO hourly_sums VALUES ('x', 0, '', 'm', 'text', 'failed', '', '', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0${", 0".repeat(9)})`,
    "DELETE FROM hourly_sums WHERE hour = 0",
    [/^the sums of an hour/],
  ],
];

const ROWS = "SELECT * FROM hourly_sums WHERE requests <> 0 ORDER BY status";

export const audit: Context = (database) => {
  const store = useStore(database);

  beforeAll(async () => {
    const caller = await makeCaller(store(), { credit: 100 });
    const [settled, held] = [makeReservation(caller, 10), makeReservation(caller, 10)];
    await store().money.reserve(settled);
    await store().money.reserve(held);
    const { id } = settled.generation;
    const price = { output: 2_000_000 };
    await store().money.settle({ id, cost: 6, status: "succeeded", usage: { output: 3 }, price });
    await store().money.refund(id, 2, Date.now());

    const slow = await database().open({ owner: elsewhere() });
    const corrected = priced(makeReservation(caller, 10));
    await slow.money.reserve(corrected);
    await slow.money.checkpoint(corrected.generation.id, { output: 3 });
    await store().money.recover(Date.now() + 60_000);
    await slow.money.settle({ id: corrected.generation.id, cost: 4, status: "succeeded" });
    await slow.close();
  });

  it("the audit finds nothing where nothing is wrong", async () => {
    expect(await store().money.audit()).toEqual([]);
  });

  it.each(DAMAGES)("the audit finds damage to %s", async (_, damage, repair, invariants) => {
    await database().execute(damage);
    const found = await store().money.audit();
    await database().execute(repair);
    expect(found.length).toBeGreaterThan(0);
    for (const pattern of invariants)
      expect(found).toContainEqual(expect.objectContaining({ invariant: expect.stringMatching(pattern) }));
    for (const { invariant, expected, actual } of found) {
      expect(invariants.some((pattern) => pattern.test(invariant))).toBe(true);
      expect(actual).not.toBe(expected);
    }
    expect(await store().money.audit()).toEqual([]);
  });

  it("the sums of hours are written anew from their generations", async () => {
    const before = await database().execute(ROWS);
    expect(await store().usage.repair()).toBe(0);
    await database().execute("DELETE FROM hourly_sums WHERE status = 'succeeded'");
    await database().execute(
      `INSERT INTO hourly_sums VALUES ('x', 0, '', 'm', 'text', 'failed', '', '', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0${", 0".repeat(9)})`,
    );
    expect(await store().usage.repair()).toBeGreaterThan(1);
    expect(await database().execute(ROWS)).toEqual(before);
    expect(await store().money.audit()).toEqual([]);
  });

  it.each([
    "UPDATE transfers SET amount = amount + 1",
    "DELETE FROM transfers",
    "UPDATE transfers SET kind = 'refund' WHERE kind = 'charge'",
  ])("the ledger stays as it was written: %s", async (statement) => {
    await expect(database().execute(statement)).rejects.toThrow("append-only");
  });

  it.each([
    ["a transfer of nothing", "'t', 'house', 'x', 0, 'topup', NULL, 1"],
    ["a charge without a generation", "'t', 'x', 'revenue', 1, 'charge', NULL, 1"],
    ["a top-up from elsewhere", "'t', 'x', 'y', 1, 'topup', NULL, 1"],
    ["a correction between accounts", "'t', 'x', 'y', 1, 'correction', 'g', 1"],
    ["a correction without a generation", "'t', 'x', 'revenue', 1, 'correction', NULL, 1"],
  ])("the ledger has no room for %s", async (_, values) => {
    await expect(database().execute(`INSERT INTO transfers VALUES (${values})`)).rejects.toThrow(/check/i);
  });
};
