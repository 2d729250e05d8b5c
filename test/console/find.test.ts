import { expect, it } from "vitest";
import { type Finding, pageOf } from "../../packages/console/web/src/find.ts";

it("a batch that is found has a page for its account, and one for operators", () => {
  const batch: Finding = {
    ...{ kind: "batch", id: "batch_1", accountId: "acc", createdAt: "2026-01-01T00:00:00.000Z" },
    path: "/api/compat/v1/batches/batch_1",
  };
  expect(pageOf(batch)).toBe("/console/batches/batch_1");
  expect(pageOf({ ...batch, path: "/api/admin/batches/batch_1" })).toBe("/console/batches/batch_1?of=all");
});
