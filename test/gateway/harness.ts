import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createCatalog,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type Model,
} from "@manifold/gateway";
import { defineProvider, type UpstreamProtocol } from "@manifold/providers";
import { createSimulator, type Simulator } from "@manifold/simulator";
import { lookupHash, openSqlite, prefixOf, type Store } from "@manifold/store";
import type { Database } from "../store/databases/database.ts";
import { upstreams } from "../support/wires/index.ts";

const ADMIN = "operator-credential-0123456789abcdef";
/** Explanations are asked for as the operator, who is told all of them. */
const asOperator = (headers: object = {}): Record<string, string> =>
  "x-explain" in headers ? { "x-admin-key": ADMIN } : {};
export const KEY = "test-key-0123456789abcdef";
/** The protocols that providers speak. */
export const PROTOCOLS = upstreams;

/** The model of the simulator that is spoken to in a protocol. */
export const modelOf = (protocol: UpstreamProtocol): string => `sim-${protocol}`;

export const price = { input: 1_000_000, output: 2_000_000 };

export const model = (id: string, provider: string, more: Partial<Model> = {}): Model => ({
  id,
  inputModalities: ["text", "image"],
  outputModalities: ["text"],
  isActive: true,
  revision: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  entries: [{ provider, name: id, priority: 1, isActive: true, price }],
  ...more,
});

export interface Harness {
  /** Of the gateway, on a real socket. */
  origin: string;
  gateway: Gateway;
  simulator: Simulator;
  store: Store;
  /** A request with the key; `body` is sent as JSON unless it is text. */
  call(path: string, body?: unknown, init?: RequestInit): Promise<Response>;
  /** Resolves when nothing is in flight: every generation is settled. */
  settled(): Promise<void>;
  /** Of the test account, in micro-USD. */
  balance(): Promise<{ balance: number; held: number }>;
  close(): Promise<void>;
}

/** A gateway on a socket, a simulator behind it, and an account with credit. */
export async function startHarness(
  more: Partial<GatewayOptions> & {
    models?: Model[];
    credit?: number;
    make?: (() => Promise<Database>) | undefined;
  } = {},
): Promise<Harness> {
  const { models = [], credit = 1_000_000_000, make, ...options } = more;
  const simulator = createSimulator();
  const upstream = await simulator.listen(0);
  const database = await make?.();
  const store = await (database?.open() ?? openSqlite({ path: ":memory:" }));
  const at = Date.now();
  await store.accounts.ensure({ id: "acc", name: "test", at });
  if (credit > 0)
    await store.accounts.credit({
      accountId: "acc",
      amount: credit,
      kind: "topup",
      reference: "opening",
      at,
    });
  await store.keys.ensure({
    id: "key",
    accountId: "acc",
    name: "test",
    prefix: prefixOf(KEY),
    hash: lookupHash(KEY),
    at,
  });
  const providers = new Map(
    PROTOCOLS.map((protocol) => [
      protocol as string,
      defineProvider(protocol, { origin: upstream.origin, speaks: [protocol], key: "upstream-secret" }),
    ]),
  );
  const gateway = createGateway({
    adminKey: ADMIN,
    store,
    catalog: createCatalog([...PROTOCOLS.map((protocol) => model(modelOf(protocol), protocol)), ...models]),
    providers,
    ...options,
  });
  const server: Server = createServer(gateway.node);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    gateway,
    simulator,
    store,
    call: (path, body, init = {}) =>
      fetch(origin + path, {
        method: body === undefined ? "GET" : "POST",
        ...init,
        headers: {
          "x-api-key": KEY,
          "content-type": "application/json",
          ...asOperator(init.headers),
          ...init.headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    async settled() {
      for (let tries = 0; tries < 2_000; tries++) {
        const account = await store.accounts.get("acc");
        if (account?.held === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error("a hold was never settled");
    },
    async balance() {
      const account = await store.accounts.get("acc");
      return { balance: account?.balance ?? 0, held: account?.held ?? 0 };
    },
    async close() {
      await gateway.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await store.close();
      await database?.drop();
      await simulator.close();
    },
  };
}
