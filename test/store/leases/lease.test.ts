import { describe, expect, it } from "vitest";
import type { LeaseRow, Values } from "../../../packages/store/src/leases/commit.ts";
import { Lease } from "../../../packages/store/src/leases/lease.ts";
import { addUse, noUse } from "../../../packages/store/src/leases/policy.ts";
import { type HoldRequest, toHoldRequest } from "../../../packages/store/src/money/reservation-values.ts";
import { makeReservation, NOW } from "../fixtures.ts";

const RECORD_MS = 25;
const at = (ms: number) => ({ clock: NOW + ms, steady: ms });
const valuesOf = (amount: number): Values =>
  (toHoldRequest(makeReservation({ accountId: "acc", keyId: "key" }, amount), "me") as HoldRequest).values;
const row: LeaseRow = {
  ...{ id: "lease", account: "acc", key: "key", daily: "2026-11-21", weekly: "2026-W47", monthly: "2026-11" },
  ...{ owner: "me", caps: {}, amount: 1_000, step: 0 },
};

describe("a lease", () => {
  it("is due once its oldest running generation is old enough to be recorded, and records no younger one", () => {
    const lease = new Lease({ ...row }, 1_000_000, at(0), RECORD_MS);
    const [old, young] = [lease.draw(valuesOf(10), at(0)), lease.draw(valuesOf(10), at(1))];
    expect(lease.isDue(at(RECORD_MS - 1))).toBe(false);
    expect(lease.isDue(at(RECORD_MS))).toBe(true);
    const use = addUse(noUse, 10, 0);
    expect(lease.load(use, at(RECORD_MS)).begun).toEqual([old]);
    expect(lease.load(use, at(RECORD_MS), { all: true }).begun).toEqual([old, young]);
  });
});
