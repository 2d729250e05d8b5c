import { expect, it } from "vitest";
import type { Query, Row, Work } from "../../../packages/store/src/engine/engine.ts";
import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import { type Batch, prepareCommit } from "../../../packages/store/src/leases/commit.ts";
import { toEndValues } from "../../../packages/store/src/money/end.ts";
import { toHoldRequest } from "../../../packages/store/src/money/reservation-values.ts";
import type { Alerts } from "../../../packages/store/src/outbox/alerts.ts";
import { makeReservation } from "../fixtures.ts";

const { values } = toHoldRequest(makeReservation({ accountId: "account", keyId: "key" }, 10), "me");
const end = toEndValues({ id: values.id, accountId: "account", cost: 7, status: "succeeded" });
const batch: Batch = {
  id: "batch:lease.1",
  row: { ...values, key: "key", id: "lease", owner: "me", caps: {}, amount: 100, step: 0 },
  ...{ amount: 93, isEnding: false, isLast: false, mayGrow: true, grow: () => 20 },
  ends: [{ values, isRecorded: false, end }],
  begun: [],
};

/** Rows of a server on which every statement of the batch finds what it expects. */
const answer = ({ sql }: Query): Row[] => {
  if (sql.startsWith("UPDATE leases")) return [{ id: "lease" }];
  if (sql.startsWith('INSERT INTO "generations"')) return [{ id: values.id }];
  if (sql.startsWith("UPDATE accounts")) return [{ balance: 1_000, held: 100 }];
  return [];
};

/** Runs work and counts how often it waits for answers. */
function countWaits(work: Work<unknown>): number {
  let waits = 0;
  for (let step = work.next(); !step.done; ) {
    const request = step.value;
    const isOne = "sql" in request;
    if (!isOne || !request.isUnread) waits += 1;
    step = work.next((isOne ? answer(request) : request.map(answer)) as Row[]);
  }
  return waits;
}

it("the commit of a lease that grows waits for a server's answers twice", () => {
  const engine = createPostgresEngine({ url: "postgres://nowhere" });
  const commit = prepareCommit(engine, { isOn: () => false } as Alerts);
  expect(countWaits(commit(batch))).toBe(2);
});
