import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseConfig } from "../../../apps/server/src/config/load.ts";
import { ConfigError } from "../../../apps/server/src/config/read.ts";
import { ensureAccounts } from "../../../apps/server/src/configured-accounts.ts";
import { type Host, startHost } from "../../../apps/server/src/host.ts";
import { createLog } from "../../../apps/server/src/logging/log.ts";

const KEY = "host-test-key-0123456789-0123456789abcdef";
let folder: string;
let simulator: Simulator;
let upstream: string;
let collector: Server;
let collected = "";
let endpoint: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "manifold-host-"));
  simulator = createSimulator();
  upstream = (await simulator.listen(0)).origin;
  collector = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => {
      collected += chunk.toString();
    });
    request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
});
afterAll(async () => {
  await simulator.close();
  await new Promise((resolve) => collector.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const lines: string[] = [];

async function start(name: string, more: object, roundMs?: number): Promise<Host> {
  const config = parseConfig(
    {
      server: { port: 0 },
      store: `sqlite:${join(folder, `${name}.db`)}`,
      objects: `file:${join(folder, name)}`,
      providers: { local: { protocol: "msgstyle", origin: upstream, key: "secret-of-upstream" } },
      models: { m1: { entries: [{ provider: "local", name: "sim-m1", price: { input: 1, output: 2 } }] } },
      accounts: { dev: { balance: 10, keys: { dev: KEY } } },
      ...more,
    },
    {},
  );
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const prepare = (store: Host["store"]) => ensureAccounts(store, config.accounts, Date.now());
  return startHost({ config, env: {}, log, prepare, ...(roundMs && { roundMs }) });
}

const ask = (host: Host, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${host.origin}/api/chatstyle/v1/chat/completions`, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "m1", messages: [{ role: "user", content: "hello" }] }),
  });

describe("a host with telemetry", () => {
  it("a host with telemetry serves metrics at an address of their own, and sends traces before it ends", async () => {
    const host = await start("on", {
      telemetry: { metrics: { port: 0, push: { endpoint } }, traces: { endpoint } },
    });
    const own = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === "metrics listening").origin;
    expect((await ask(host, { "x-request-id": "asked-1" })).status).toBe(200);
    const metrics = await (await fetch(`${own}/metrics`)).text();
    expect(metrics).toContain('manifold_generations_total{model="m1",provider="local"');
    expect(metrics).toMatch(/manifold_store_commit_seconds_count\{operation="settle"\} 1/);
    expect((await fetch(`${own}/else`)).status).toBe(404);
    expect((await fetch(`${host.origin}/metrics`)).status).toBe(401);
    await host.stop();
    expect(collected).toContain("chat sim-m1");
    expect(collected).toContain('"name":"manifold_jobs_live"');
    expect(lines.join("")).not.toContain("metrics push failed");
    expect(collected).toContain("asked-1");
    for (const secret of [KEY, "secret-of-upstream"])
      expect(collected + lines.join("")).not.toContain(secret);
    await expect(fetch(`${own}/metrics`)).rejects.toThrow();
  });
});

describe("a host without telemetry", () => {
  it("a host without telemetry has health and readiness, and no metrics or traces", async () => {
    const host = await start("off", {});
    expect((await fetch(`${host.origin}/health`)).status).toBe(200);
    expect((await fetch(`${host.origin}/ready`)).status).toBe(200);
    expect((await ask(host)).status).toBe(200);
    await host.stop();
  });
});

it("a host says once that a newer version has migrated its database, and continues", async () => {
  const host = await start("outdated", {}, 20);
  const told = () =>
    lines.filter((line) => line.includes("a newer version has migrated the database")).length;
  const before = told();
  const database = new Database(join(folder, "outdated.db"));
  database.exec("INSERT INTO migrations SELECT max(number) + 1, 'later', 1 FROM migrations");
  database.close();
  const rounds = vi.spyOn(host.store.money, "recover");
  await expect.poll(() => rounds.mock.calls.length).toBeGreaterThan(3);
  expect(told() - before).toBe(1);
  expect((await ask(host)).status).toBe(200);
  await host.stop();
});

it("a delayed stop is seen at /ready while requests are still served", async () => {
  const host = await start("delay", { server: { port: 0, preStopDelay: 1_000 } });
  const stopped = host.stop();
  const [ready, answer] = await Promise.all([fetch(`${host.origin}/ready`), ask(host)]);
  expect([ready.status, answer.status]).toEqual([503, 200]);
  await stopped;
  await expect(fetch(`${host.origin}/ready`)).rejects.toThrow();
});

it.each([
  [{ traces: { propagateTo: ["nobody"] } }, /telemetry\.traces\.propagateTo\.0: no provider 'nobody'/],
  [{ traces: { endpoint: "ftp://x" } }, /telemetry\.traces\.endpoint/],
  [{ traces: { sample: 2 } }, /telemetry\.traces\.sample/],
  [{ metrics: { port: -1 } }, /telemetry\.metrics\.port/],
  [{ metric: {} }, /telemetry/],
])("a configuration is refused where it says %o", (telemetry, message) => {
  expect(() => parseConfig({ telemetry }, {})).toThrow(ConfigError);
  expect(() => parseConfig({ telemetry }, {})).toThrow(message);
});
