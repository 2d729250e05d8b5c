import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseConfig } from "../../apps/server/src/config/load.ts";
import { startHost } from "../../apps/server/src/host.ts";
import { createLog } from "../../apps/server/src/logging/log.ts";
import { warmUpProcess } from "../../apps/server/src/warm-up.ts";
import { addPayer } from "./commands/payer.ts";

const ADMIN = "warm-up-admin-0123456789-0123456789";
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "manifold-warm-up-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function gathered() {
  const lines: string[] = [];
  return { lines, log: createLog("info", { write: (line) => void lines.push(line) }) };
}

it("the warm-up of a start leaves no record, log line or metric", async () => {
  const { lines, log } = gathered();
  const config = parseConfig(
    {
      server: { port: 0, adminKey: ADMIN, warmUp: 1_000 },
      store: "sqlite::memory:",
      objects: `file:${join(folder, "objects")}`,
      telemetry: { metrics: {} },
    },
    {},
  );
  const prepare = (store: Parameters<typeof addPayer>[0]) =>
    addPayer(store, "key-of-the-payer-0123456789abcdef");
  const host = await startHost({ config, env: {}, log, prepare, warmUp: true });
  expect(lines).toEqual([]);
  const { results } = await host.store.accounts.list({ offset: 0, limit: 10 });
  expect(results.map(({ id }) => id)).toEqual(["acc"]);
  const metrics = await fetch(`${host.origin}/metrics`, { headers: { "x-admin-key": ADMIN } });
  expect(metrics.status).toBe(200);
  expect(await metrics.text()).not.toMatch(/^manifold_(attempts|generations)\w*\{/m);
  await host.stop();
});

it("a warm-up goes through the server's own listener for as long as is configured", async () => {
  const { lines, log } = gathered();
  const counts: number[] = [];
  await warmUpProcess({ warmUp: 20_000 }, log, async (options) => {
    expect(options?.milliseconds).toBe(20_000);
    const { warmUp } = await import("@manifold-gateway/gateway/warm-up");
    const count = await warmUp({ ...options, requests: 40 });
    counts.push(count);
    return count;
  });
  expect(counts).toEqual([expect.toSatisfy((count) => count >= 40)]);
  expect(lines).toEqual([]);
});

it("a failed warm-up is logged, and the start goes on", async () => {
  const { lines, log } = gathered();
  await warmUpProcess({ warmUp: 300 }, log, () => Promise.reject(new Error("no sockets")));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: "warm-up failed", error: "Error: no sockets" },
  ]);
});

it("a start without time for it has no warm-up", async () => {
  const { log } = gathered();
  let isRun = false;
  await warmUpProcess({ warmUp: 0 }, log, async () => {
    isRun = true;
    return 0;
  });
  expect(isRun).toBe(false);
});
