import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../../apps/server/src/config/load.ts";
import { type Host, startHost } from "../../../apps/server/src/host.ts";
import { runCommand } from "../../support/commands.ts";
import { listen } from "../../support/listen.ts";
import { addPayer } from "../commands/payer.ts";

const KEY = "live-key-0123456789-0123456789abcdef";
const log = { info() {}, warn() {}, error() {} };
let folder: string;
let file: string;
let simulator: Simulator;
let origin: string;
let host: Host;

const entry = (provider: string, price = 1) => ({ provider, name: `n-${provider}`, price: { input: price } });

function write(models: object, providers: object = { one: {} }, more: object = {}): void {
  const full = Object.fromEntries(
    Object.entries(providers).map(([id, more]) => [
      id,
      { protocol: "chatstyle", origin, key: `k-${id}`, ...more },
    ]),
  );
  const store = `sqlite:${join(folder, "store.db")}`;
  const objects = `file:${join(folder, "objects")}`;
  writeFileSync(
    file,
    JSON.stringify({
      server: { port: 0 },
      store,
      objects,
      keyEncryptionSecrets: ["ab".repeat(32)],
      providers: full,
      models,
      ...more,
    }),
  );
}

const manifold = (line: string) => runCommand([...line.split(" "), "--config", file]);

const call = (path: string, body?: object) =>
  fetch(host.origin + path, {
    method: body ? "POST" : "GET",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
const chat = (model: string, more: object = {}) =>
  call("/api/chatstyle/v1/chat/completions", {
    model,
    messages: [{ role: "user", content: "hello" }],
    ...more,
  });
const reload = () => host.reload({ config: loadConfig(file, {}), env: {} });
const revision = async (model: string): Promise<number> =>
  (await (await call(`/api/v1/ai/models/${model}`)).json()).revision;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "manifold-live-"));
  file = join(folder, "manifold.json");
  simulator = createSimulator();
  origin = (await simulator.listen()).origin;
  write({ m1: { entries: [entry("one")] }, m2: { entries: [entry("one")] } });
  host = await startHost({
    config: loadConfig(file, {}),
    env: {},
    log,
    prepare: (store) => addPayer(store, KEY),
    // Looks for changes of the catalog more often than every five seconds.
    roundMs: 200,
  });
});
afterAll(async () => {
  await host.stop();
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a configuration that is read again", () => {
  it("a reloaded configuration adds, changes and removes models and providers, and raises only their revisions", async () => {
    expect((await chat("m3")).status).toBe(400);
    const before = { m1: await revision("m1"), m2: await revision("m2") };
    write(
      {
        m1: { entries: [entry("two", 5)] },
        m2: { entries: [entry("one")] },
        m3: { entries: [entry("two")] },
      },
      {
        one: {},
        two: {},
      },
    );
    expect((await reload()).changed?.sort()).toEqual(["m1", "m3"]);
    expect(await revision("m1")).toBe(before.m1 + 1);
    expect(await revision("m2")).toBe(before.m2);
    expect((await chat("m3")).status).toBe(200);
    expect(simulator.ledger.last()?.headers.authorization).toBe("Bearer k-two");
    write({ m1: { entries: [entry("one")] } });
    await reload();
    // It is known, and not active.
    expect((await call("/api/v1/ai/models/m3")).status).toBe(404);
    const refused = await chat("m3");
    expect(refused.status).toBe(400);
    expect((await refused.json()).errors[0]).toContain("not active");
    expect((await chat("m1")).status).toBe(200);
  });

  it("a reloaded configuration has events sent to its webhooks, the first of them too", async () => {
    const received: (string | undefined)[] = [];
    const receiver = await listen((request, response) => {
      received.push(request.url);
      request.resume();
      response.writeHead(204).end();
    });
    const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    const webhooks = [{ url: `${receiver.origin}/caps`, secret, events: ["key.cap_reached"] }];
    await host.store.money.recall("acc");
    const limit = (total: number) =>
      host.store.keys.change({ accountId: "acc", id: "key" }, { caps: { total } });
    await limit(3);
    write({ m1: { entries: [entry("one")] } }, { one: {} }, { webhooks });
    await reload();
    await limit(2);
    await expect.poll(() => received, { timeout: 10_000 }).toEqual(["/caps", "/caps"]);
    write({ m1: { entries: [entry("one")] } });
    await reload();
    await limit(1);
    await limit(1e9);
    expect(await host.store.outbox.isDue([], Date.now())).toBe(false);
    await receiver.close();
  });

  it("a reloaded configuration drops no running request", async () => {
    simulator.script("[[fault:stall=300]]");
    const running = await chat("m1", { stream: true });
    write({ m9: { entries: [entry("nine")] } }, { nine: {} });
    await reload();
    expect((await chat("m1")).status).toBe(400);
    expect(await running.text()).toContain("[DONE]");
    write({ m1: { entries: [entry("one")] } });
    await reload();
  });
});

describe("commands on a running server", () => {
  /** What the next look at the store finds, without waiting for it. */
  const noticed = async (model: string, status: number): Promise<void> => {
    await expect
      .poll(async () => (await chat(model)).status, { timeout: 15_000, interval: 200 })
      .toBe(status);
  };

  it("a command stops and starts a model in a running server", async () => {
    expect((await manifold("catalog deactivate m1")).output).toContain("m1 is not active");
    await noticed("m1", 400);
    expect((await manifold("catalog activate m1")).output).toContain("m1 is active");
    await noticed("m1", 200);
    await expect(manifold("catalog deactivate nothing")).rejects.toThrow("nothing");
  }, 40_000);

  it("a command gives the models of a file to a running server", async () => {
    write({ m1: { entries: [entry("one", 9)] }, m5: { entries: [entry("one")] } });
    const { output } = await manifold("catalog apply --dry-run");
    expect(output.split("\n")).toContain('{"model":"m5","change":"added"}');
    expect((await manifold("catalog apply")).output).toContain("m5");
    expect((await manifold("catalog apply --dry-run")).output).toBe("");
    expect((await manifold("catalog apply")).output).toContain("nothing to change");
    await noticed("m5", 200);
  }, 20_000);

  it("a command explains a request without doing it", async () => {
    const body = join(folder, "body.json");
    writeFileSync(
      body,
      JSON.stringify({ model: "m1", messages: [{ role: "user", content: "hi" }], seed: 1 }),
    );
    const calls = simulator.ledger.entries.length;
    const { code, output } = await manifold(`explain --surface chatstyle --body ${body} --account acc`);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      verdict: "accepted",
      route: { candidates: [{ provider: "one" }] },
      upstream: { path: "/v1/chat/completions", body: { model: "n-one", seed: 1 } },
      headroom: { balance: expect.any(Number) },
    });
    expect(output).not.toContain("k-one");
    expect((await manifold(`explain --surface msgstyle --body ${body}`)).code).toBe(1);
    await expect(manifold(`explain --surface elsewhere --body ${body}`)).rejects.toThrow("--surface");
    expect(simulator.ledger.entries).toHaveLength(calls);
  });
});

describe("the capabilities of a catalog entry", () => {
  it("nonsensical capabilities of a catalog entry stop the start, with their path", () => {
    write({
      m1: { entries: [{ ...entry("one"), capabilities: { text: { params: { seed: { type: "range" } } } } }] },
    });
    expect(() => loadConfig(file, {})).toThrow("models.m1.entries.0.capabilities.text.params.seed");
  });
});
