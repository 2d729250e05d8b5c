import { expect, it } from "vitest";
import type { Engine } from "../../../packages/store/src/engine/engine.ts";
import { createSqliteEngine } from "../../../packages/store/src/engine/sqlite.ts";
import { createLatencies } from "../../../packages/store/src/usage/latencies.ts";
import { NOW } from "../fixtures.ts";

it("while the database is away one write is tried, reads do not wait for it, and all is written once it is back", async () => {
  const engine = createSqliteEngine({ path: ":memory:" });
  let isAway = true;
  let writes = 0;
  const write = async () => {
    writes += 1;
    if (isAway) throw new Error("away");
    return new Set();
  };
  const latencies = createLatencies({ ...engine, write: write as unknown as Engine["write"] }, undefined);
  const end = {
    ...{ account: "a", key: null, modality: "text", status: "succeeded", surface: null, entry: null },
    ...{ at: NOW, duration: 5, cost: 0, counts: {}, tags: null },
  };
  // More than two commits take.
  for (let n = 0; n < 300; n++)
    latencies.note({ id: `g${n}`, entry: { ...end, model: `m${n}` }, route: undefined });
  await latencies.catchUp();
  expect(writes).toBe(1);
  await latencies.catchUp();
  expect(writes).toBe(1);
  isAway = false;
  await latencies.flush();
  expect(writes).toBe(1 + 3);
  await latencies.close();
  expect(writes).toBe(1 + 3);
  await engine.close();
});
