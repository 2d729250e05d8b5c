import { openSqlite, type Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN } from "../../support/caller.ts";
import { type Stage, startStage } from "../../support/stage.ts";

let delay: number | undefined;
let database: Store;
let stage: Stage;
beforeAll(async () => {
  database = await openSqlite({ path: ":memory:" });
  stage = await startStage({
    store: { ...database, reader: { delayMs: () => delay } },
    listens: false,
  });
});
afterAll(async () => {
  await stage.close();
  await database.close();
});

const LISTS = [
  ...["usage", "usage/series", "usage/totals", "usage/count", "usage/export", "ledger", "refusals"].map(
    (path) => `/api/compat/v1/${path}`,
  ),
  ...[
    "generations",
    "generations/totals",
    "generations/count",
    "generations/export",
    "usage/series",
    "books",
    "refusals",
    "refusals/counts",
  ].map((path) => `/api/admin/${path}`),
];
const OTHERS = [
  "/api/compat/v1/balance",
  "/api/compat/v1/account",
  "/api/admin/accounts",
  "/api/admin/audit",
];

it("lists and sums say how far their replica is behind, while they come from one, and nothing else does", async () => {
  const stated = async (path: string) => {
    const answer = await stage.call(path, undefined, { headers: { "x-admin-key": ADMIN } });
    await answer.text();
    expect([path, answer.status]).toEqual([path, 200]);
    return [path, answer.headers.get("x-report-delay") ?? undefined];
  };
  delay = 840;
  for (const path of LISTS) expect(await stated(path)).toEqual([path, "0.8"]);
  for (const path of OTHERS) expect(await stated(path)).toEqual([path, undefined]);
  delay = undefined;
  for (const path of LISTS) expect(await stated(path)).toEqual([path, undefined]);
});
