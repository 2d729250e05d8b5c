import { hash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayProcess, startGateways } from "../money/process.ts";
import { freePort, program, type Running, run } from "./balancer.ts";

const FILE = join(import.meta.dirname, "../../../deploy/cluster/groups.cfg");
const ADMIN = "a".repeat(32);
/** The accounts, one for each group. */
const KEYS = { ada: "key-of-ada-0123456789abcdef0123456789", bob: "key-of-bob-0123456789abcdef0123456789" };
type Name = keyof typeof KEYS;
const NAMES = Object.keys(KEYS) as Name[];

/** What is read of answers. */
interface Answer {
  total?: number;
  results?: { name: string }[];
}

/** Asks with any headers, also with that of a host. */
const ask = (url: string, headers: Record<string, string>, body?: unknown) =>
  new Promise<{ status: number; body: Answer }>((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const sent = request(
      url,
      { method, headers: { "content-type": "application/json", ...headers } },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        answer.on("end", () => {
          const isJson = answer.headers["content-type"]?.includes("json");
          resolve({ status: answer.statusCode ?? 0, body: isJson ? JSON.parse(text) : {} });
        });
      },
    );
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });

const haproxy = program("haproxy");
const reason = haproxy ? "" : "(haproxy is not on the path)";

describe.skipIf(!haproxy)(`accounts over two databases ${reason}`, { timeout: 120_000 }, () => {
  let simulator: Simulator;
  let gateways: Record<Name, GatewayProcess>;
  let balancer: Running;
  let origin: string;
  const folder = mkdtempSync(join(tmpdir(), "manifold-groups-"));
  beforeAll(async () => {
    simulator = createSimulator();
    const provider = { protocol: "chatstyle", origin: (await simulator.listen()).origin, key: "k" };
    const start = (name: Name) =>
      startGateways(1, {
        server: { port: 0, warmUp: 0, log: "warn", adminKey: ADMIN },
        store: "sqlite::memory:",
        providers: { near: provider },
        models: {
          chat: { entries: [{ provider: "near", name: "sim-chat", price: { input: 1, output: 2 } }] },
        },
        accounts: { [name]: { balance: 1, keys: { only: KEYS[name] } } },
      });
    const [[ada], [bob]] = await Promise.all([start("ada"), start("bob")]);
    gateways = { ada: ada!, bob: bob! };
    const map = join(folder, "groups.map");
    const lines = NAMES.map((name, at) => `${hash("sha256", KEYS[name])} group-${at + 1}\n`);
    writeFileSync(map, `${lines.join("")}b.example group-2\n`);
    origin = `http://127.0.0.1:${await freePort()}`;
    const hostOf = (url: string): string => new URL(url).host;
    const env = {
      ...{ SERVICE: hostOf(origin), GROUP_MAP: map },
      ...{ GROUP_1_GATEWAY_1: hostOf(ada!.origin), GROUP_2_GATEWAY_1: hostOf(bob!.origin) },
    };
    balancer = await run(haproxy!, ["-f", FILE], `${origin}/health`, { ...process.env, ...env });
  }, 120_000);
  afterAll(async () => {
    await balancer?.stop();
    await Promise.all(Object.values(gateways ?? {}).map((one) => one.stop()));
    await simulator?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("a key reaches its own database, wherever the caller puts it, and is charged there alone", async () => {
    const chat = { model: "chat", messages: [{ role: "user", content: "Hello" }] };
    for (const name of NAMES) {
      const key = KEYS[name];
      const places: Record<string, string>[] = [{ "x-api-key": key }, { authorization: `Bearer ${key}` }];
      for (const headers of places) {
        const { status } = await ask(`${origin}/api/chatstyle/v1/chat/completions`, headers, chat);
        expect(status).toBe(200);
      }
      const models = `${origin}/api/genstyle/v1beta/models`;
      expect((await ask(models, { "x-goog-api-key": key })).status).toBe(200);
      expect((await ask(`${models}?key=${key}`, {})).status).toBe(200);
    }
    for (const name of NAMES) {
      const own = `${gateways[name].origin}/api/compat/v1/usage`;
      expect((await ask(own, { "x-api-key": KEYS[name] })).body.total).toBe(2);
      const { body } = await ask(`${gateways[name].origin}/api/admin/accounts`, { "x-admin-key": ADMIN });
      expect(body.results?.map(({ name }) => name)).toEqual([name]);
    }
    expect((await ask(`${origin}/api/compat/v1/usage`, { "x-api-key": "unknown" })).status).toBe(401);
  });

  it("an operator reaches a group by its host, and nobody the metrics", async () => {
    const accounts = async (headers: Record<string, string>) =>
      (await ask(`${origin}/api/admin/accounts`, { "x-admin-key": ADMIN, ...headers })).body.results?.[0]
        ?.name;
    expect(await accounts({})).toBe("ada");
    expect(await accounts({ host: "B.example:8787" })).toBe("bob");
    expect((await ask(`${origin}/metrics`, { host: "b.example" })).status).toBe(404);
  });

  it("a group that is gone takes only its own accounts with it", async () => {
    await gateways.bob.kill();
    const balance = async (name: Name) =>
      (await ask(`${origin}/api/compat/v1/balance`, { "x-api-key": KEYS[name] })).status;
    expect(await balance("bob")).toBe(503);
    expect(await balance("ada")).toBe(200);
  });
});
