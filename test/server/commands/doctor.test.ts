import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyVault } from "@manifold-gateway/gateway/admin";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { lookupHash, mintKey, openSqlite, prefixOf } from "@manifold-gateway/store";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Outcome } from "../../../apps/server/src/commands/doctor/check.ts";
import { toSeal } from "../../../apps/server/src/config/build.ts";
import { runCommand } from "../../support/commands.ts";

const SEAL = "ab".repeat(32);
const SECRETS = [SEAL, "sk-of-the-provider", "admin-key-0123456789-0123456789-abc", "hunter22-of-postgres"];

let folder: string;
let simulator: Simulator;
let origin: string;
/** Refuses every key, by a clock that is an hour ahead. */
let refusing: Server;
let refusingOrigin: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "manifold-doctor-"));
  simulator = createSimulator();
  origin = (await simulator.listen()).origin;
  refusing = createServer(({ headers }, response) => {
    response.setHeader("date", new Date(Date.now() + 3_600_000).toUTCString());
    response.writeHead(401).end(`no such key: ${headers.authorization}`);
  });
  await new Promise<void>((done) => refusing.listen(0, "127.0.0.1", done));
  refusingOrigin = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  const store = await openSqlite({ path: join(folder, "store.db") });
  const at = Date.now();
  const by = { actor: "test", at };
  await store.accounts.ensure({ id: "a", name: "a", at, by });
  const key = mintKey();
  const sealed = createKeyVault([toSeal(SEAL)])?.seal(key, "k");
  const sealedKey = { id: "k", accountId: "a", name: "k", prefix: prefixOf(key), hash: lookupHash(key), at };
  await store.keys.create({ ...sealedKey, ...(sealed && { sealed }) });
  await store.close();
  mkdirSync(join(folder, "objects"));
});
afterAll(async () => {
  await simulator.close();
  refusing.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A configuration with which all is well, and what is different in it. */
const healthy = (): Record<string, unknown> => ({
  server: { port: 0, adminKey: SECRETS[2] },
  store: `sqlite:${join(folder, "store.db")}`,
  objects: `file:${join(folder, "objects")}`,
  keyEncryptionSecrets: [SEAL],
  providers: { local: { protocol: "chatstyle", origin, key: SECRETS[1] } },
  models: { m: { entries: [{ provider: "local", name: "sim-text", price: { input: 1 } }] } },
});

async function doctor(config: object, env: Record<string, string> = {}) {
  const file = join(folder, "manifold.json");
  writeFileSync(file, JSON.stringify(config));
  const { code, lines, output } = await runCommand(["doctor", "--json", "--config", file], { env });
  for (const secret of SECRETS) expect(output).not.toContain(secret);
  return { code, outcomes: lines as Outcome[] };
}

const by = (outcomes: readonly Outcome[], check: string): Outcome | undefined =>
  outcomes.find((outcome) => outcome.check === check);

describe("the doctor", () => {
  it("finds nothing to fix where all is well", async () => {
    const { code, outcomes } = await doctor(healthy());
    expect(outcomes.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    expect(outcomes.map(({ check }) => check)).toEqual([
      "configuration",
      "database",
      "seals",
      "port",
      "server.url",
      "files",
      "calls",
      "disk",
      "disk",
      "provider local",
      "models",
      "clock",
    ]);
    expect(by(outcomes, "provider local")?.finding).toMatch(/in [\d.]+ s: it lists \d+ models/);
    expect(simulator.ledger.entries).toEqual([]);
    expect(code).toBe(0);
  });

  it("says on a terminal what is to be done, and how much there is", async () => {
    const file = join(folder, "manifold.json");
    writeFileSync(
      file,
      JSON.stringify({ ...healthy(), models: { m: { entries: [{ provider: "local", name: "other" }] } } }),
    );
    const { code, output } = await runCommand(["doctor", "--config", file], { isTerminal: true });
    expect(code).toBe(0);
    expect(output).toMatch(/^warn {2}provider local {2}it does not list 'other', which 'm' goes to$/m);
    expect(output).toMatch(/^ +→ give each a 'price'/m);
    expect(output).toMatch(/^11 ok, 2 to look at, 0 to fix$/m);
  });

  it.each<[string, () => object, string, Outcome["verdict"], RegExp]>([
    [
      "a replica that does not answer",
      () => ({ store: { url: "postgres://u@127.0.0.1:9/d", reader: "postgres://u@127.0.0.1:9/d" } }),
      "store.reader",
      "warn",
      /ECONNREFUSED/,
    ],
    [
      "a folder of calls that is a file",
      () => ({ calls: join(folder, "manifold.json") }),
      "calls",
      "warn",
      /manifold\.json cannot be written: it is no folder/,
    ],
    [
      "a refused key",
      () => ({ providers: { local: { protocol: "chatstyle", origin: refusingOrigin, key: SECRETS[1] } } }),
      "provider local",
      "fail",
      /status 401/,
    ],
    [
      "a clock that is wrong",
      () => ({ providers: { local: { protocol: "chatstyle", origin: refusingOrigin } } }),
      "clock",
      "fail",
      /3[56]\d\d s behind local/,
    ],
    [
      "a provider that is away",
      () => ({ providers: { local: { protocol: "chatstyle", origin: "http://127.0.0.1:9" } } }),
      "provider local",
      "fail",
      /ECONNREFUSED/,
    ],
    [
      "a provider of media",
      () => ({ providers: { local: { serves: { image: "chatstyle" }, origin } } }),
      "provider local",
      "ok",
      /its key is not tried/,
    ],
    [
      "one of several keys that is refused",
      () => ({
        providers: {
          local: {
            protocol: "chatstyle",
            origin: refusingOrigin,
            key: [
              { name: "first", key: SECRETS[1] },
              { name: "second", key: SECRETS[3] },
            ],
          },
        },
      }),
      "provider local, key second",
      "fail",
      /status 401/,
    ],
    [
      "a model without a price",
      () => ({ models: { m: { entries: [{ provider: "local", name: "sim-text" }] } } }),
      "models",
      "warn",
      /m at local/,
    ],
    [
      "a model whose price counts something else",
      () => ({ models: { m: { entries: [{ provider: "local", name: "sim-text", price: { images: 1 } }] } } }),
      "models",
      "warn",
      /m at local/,
    ],
    [
      "a price of one token",
      () => ({
        models: { m: { entries: [{ provider: "local", name: "sim-text", price: { input: 0.000002 } }] } },
      }),
      "settings",
      "warn",
      /^models\.m\.entries\.0\.price\.input: comes to 0\.000000002 US dollars for 1,000 tokens/,
    ],
    [
      "an account that nobody has",
      () => ({ keyDefaults: { a: {}, b: {} } }),
      "settings",
      "warn",
      /^keyDefaults\.b: there is no account 'b'/,
    ],
    ["lost seals", () => ({ keyEncryptionSecrets: ["cd".repeat(32)] }), "seals", "fail", /1 stored keys/],
    [
      "no seals",
      () => ({ keyEncryptionSecrets: [], store: `sqlite:${join(folder, "objects", "x", "new.db")}` }),
      "database",
      "ok",
      /is not there yet/,
    ],
    [
      "a database that is away",
      () => ({ store: `postgres://manifold:${SECRETS[3]}@127.0.0.1:9/manifold` }),
      "database",
      "fail",
      /ECONNREFUSED/,
    ],
    [
      "files below a file",
      () => ({ objects: `file:${join(folder, "manifold.json", "objects")}` }),
      "files",
      "fail",
      /cannot be made/,
    ],
    [
      "a port of another program",
      () => ({ server: { port: Number(new URL(refusingOrigin).port) } }),
      "port",
      "fail",
      /another program/,
    ],
    [
      "an address that leads elsewhere",
      () => ({ server: { port: 0, url: "http://name.invalid" } }),
      "server.url",
      "fail",
      /name\.invalid/,
    ],
    [
      "an address that is not set",
      () => ({ server: { port: 0, host: "0.0.0.0" } }),
      "server.url",
      "warn",
      /begin with http:\/\/0\.0\.0\.0/,
    ],
    [
      "a file that cannot be used",
      () => ({ modles: {} }),
      "configuration",
      "fail",
      /manifold\.json:1:\d+: modles/,
    ],
  ])("finds %s", async (_, more, check, verdict, found) => {
    const { code, outcomes } = await doctor({ ...healthy(), ...more() });
    const outcome = outcomes.find((one) => one.check === check && one.verdict === verdict);
    expect(outcome?.finding, JSON.stringify(outcomes)).toMatch(found);
    if (verdict !== "ok") expect(outcome?.todo).toMatch(/^[a-z]/);
    expect(code).toBe(outcomes.some((one) => one.verdict === "fail") ? 1 : 0);
  });

  it("knows a gateway that serves, and follows server.url to it", async () => {
    const gateway = createServer((_, response) => response.end('{"status":"up"}'));
    await new Promise<void>((done) => gateway.listen(0, "127.0.0.1", done));
    const { port } = gateway.address() as AddressInfo;
    const server = { port, url: `http://127.0.0.1:${port}/` };
    const { outcomes } = await doctor({ ...healthy(), server });
    gateway.close();
    expect(by(outcomes, "port")?.finding).toBe(`a gateway serves at http://127.0.0.1:${port}`);
    expect(by(outcomes, "server.url")).toMatchObject({
      verdict: "ok",
      finding: expect.stringContaining("leads to a gateway"),
    });
  });

  it("does not migrate the database, and says that a start would", async () => {
    const path = join(folder, "older.db");
    const older = new Sqlite(path);
    older.exec("CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT, applied_at INTEGER)");
    const { outcomes } = await doctor({ ...healthy(), store: `sqlite:${path}` });
    expect(by(outcomes, "database")).toMatchObject({
      verdict: "warn",
      finding: expect.stringMatching(/applies \d+ migrations, and/),
    });
    expect(older.prepare("SELECT count(*) AS n FROM migrations").get()).toEqual({ n: 0 });
    older.exec("INSERT INTO migrations VALUES (1, 'foreign', 1)");
    const { code, outcomes: foreign } = await doctor({ ...healthy(), store: `sqlite:${path}` });
    older.close();
    expect([code, by(foreign, "database")?.verdict]).toEqual([1, "fail"]);
  });

  it("looks at an installation without a file, and leaves nothing behind", async () => {
    const data = join(folder, "embedded");
    const env = {
      DATABASE_URL: `sqlite:${join(data, "manifold.db")}`,
      PORT: "0",
      LLAMACPP_ORIGIN: `${origin}/v1`,
      LLAMACPP_API_KEY: "k",
    };
    const { code, lines } = await runCommand("doctor --json", { env });
    expect(code, JSON.stringify(lines)).toBe(0);
    expect(by(lines, "provider llamacpp")?.verdict).toBe("ok");
    expect(existsSync(data)).toBe(false);
  });
});
