import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "@manifold-gateway/gateway";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll } from "vitest";
import { loadWithSource } from "../../../apps/server/src/config/load.ts";
import { type Host, startHost } from "../../../apps/server/src/host.ts";
import { addPayer } from "../commands/payer.ts";

export const KEY = "live-key-0123456789-0123456789abcdef";
const ADMIN = "admin-key-0123456789-0123456789abcdef";
/** The credential of every declared provider. */
export const CREDENTIAL = "credential-of-a-vendor-0123456789";
const silent = { info() {}, warn() {}, error() {} };

export interface Change {
  section: string;
  name: string;
  value?: object;
  revision?: number;
}

export interface Stage {
  folder: string;
  simulator: Simulator;
  /** The simulator's address. */
  origin: string;
  /** Two services on one database, by the same file. */
  first: Host;
  second: Host;
  /** Writes a configuration file on that database, and reads it. */
  write(name: string, more?: object, env?: Record<string, string>): ReturnType<typeof loadWithSource>;
  start(settings?: ReturnType<typeof loadWithSource>): Promise<Host>;
}

/** A configuration file, and two services that it starts. */
export function withServices(more: object = {}, log: Log = silent): Stage {
  const stage = {} as Stage;
  const write: Stage["write"] = (name, other = more, env = {}) => {
    const { folder, origin } = stage;
    const file = join(folder, name);
    const whole = {
      server: { port: 0, adminKey: ADMIN },
      store: `sqlite:${join(folder, "store.db")}`,
      objects: `file:${join(folder, "objects")}`,
      keyEncryptionSecrets: ["ab".repeat(32)],
      providers: { filed: { protocol: "chatstyle", origin, key: "k-filed" } },
      models: { filed: { entries: [entry("filed")] } },
      ...other,
    };
    writeFileSync(file, JSON.stringify(whole));
    return loadWithSource(file, env);
  };
  const start: Stage["start"] = (settings = write("manifold.json")) =>
    startHost({ ...settings, log, prepare: (store) => addPayer(store, KEY) });
  Object.assign(stage, { write, start });
  beforeAll(async () => {
    stage.folder = mkdtempSync(join(tmpdir(), "manifold-declarations-"));
    stage.simulator = createSimulator();
    stage.origin = (await stage.simulator.listen()).origin;
    stage.first = await start();
    stage.second = await start();
  });
  afterAll(async () => {
    await stage.first.stop();
    await stage.second.stop();
    await stage.simulator.close();
    rmSync(stage.folder, { recursive: true, force: true });
  });
  return stage;
}

/** Calls a route of operators. */
export async function send(host: Host, method: string, path: string, body?: object, key = ADMIN) {
  const response = await fetch(`${host.origin}/api/admin${path}`, {
    method,
    headers: { "x-admin-key": key, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of them.
  return { status: response.status, body: (await response.json()) as any };
}

export const declare = (host: Host, changes: Change[], more: object = {}) =>
  send(host, "POST", "/declarations", { changes, ...more });
export const undo = (host: Host, revisions: number[], more: object = {}) =>
  send(host, "POST", "/declarations/undo", { revisions, ...more });
/** A member as it is listed. */
export async function memberOf(host: Host, section: string, name: string) {
  const { members } = (await send(host, "GET", "/declarations")).body;
  return members.find((one: Change) => one.section === section && one.name === name);
}

export const entry = (provider: string, price = 1) => ({
  provider,
  name: `n-${provider}`,
  price: { input: price },
});
export const model = (name: string, ...entries: object[]) => ({
  section: "models",
  name,
  value: { entries },
});

export async function chat(host: Host, name: string): Promise<number> {
  const response = await fetch(`${host.origin}/api/chatstyle/v1/chat/completions`, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify({ model: name, messages: [{ role: "user", content: "hello" }] }),
  });
  await response.text();
  return response.status;
}
