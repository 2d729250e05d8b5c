import { createServer, type Server } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { lookupHash, openSqlite, prefixOf, type Store } from "@manifold-gateway/store";
import { createCatalog } from "../catalog/catalog.ts";
import { createGateway } from "../gateway.ts";
import type { Gateway } from "../options.ts";
import type { Model } from "../ports/catalog.ts";
import type { Log } from "../ports/log.ts";
import { createClient, createProvider, listen } from "./loopback.ts";
import {
  CALLER_WIRES,
  type CallerWire,
  PROVIDER_WIRES,
  type ProviderWire,
  requestOf,
  type WireRequest,
} from "./wires.ts";

/** The settings of a warm-up. */
export interface WarmUpOptions {
  /** How long it takes, in milliseconds. Default: 700. */
  milliseconds?: number;
  /** The most requests; then it takes less. Default: as many as the time allows. */
  requests?: number;
  /** Creates the server of its gateway. Default: one of Node without further settings. */
  createServer?(gateway: Gateway): Server;
  /** Takes the log lines of its requests. Default: silent. */
  log?: Log;
}

const KEY = "warm-up-key-0123456789";
const HEADERS = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
/** The number of requests at one time: as many as share a commit under a usual load. */
const WIDTH = 8;

/**
 * Serves requests of every wire, from a client to a provider that are both in this process, so that the first requests
 * of callers find compiled code. The gateway, the store and the connections are its own, and closed at the end. Rejects
 * if a request is not answered with 200. Resolves to the number of requests.
 */
export async function warmUp({
  milliseconds = 700,
  requests = Number.POSITIVE_INFINITY,
  createServer: serverOf = (gateway) => createServer(gateway.node),
  log,
}: WarmUpOptions = {}): Promise<number> {
  const until = performance.now() + milliseconds;
  const closing: (() => unknown)[] = [];
  try {
    const store = await openSqlite({ path: ":memory:" });
    closing.push(store.close);
    await openAccount(store);
    const provider = await listen(createProvider());
    closing.push(provider.close);
    const gateway = createGateway({
      store,
      catalog: createCatalog(PROVIDER_WIRES.map(modelOf)),
      providers: new Map(PROVIDER_WIRES.map((wire) => [wire, providerOf(wire, provider.port)])),
      ...(log && { log }),
    });
    closing.push(gateway.close);
    const server = await listen(serverOf(gateway));
    closing.push(server.close);
    const client = createClient(server.port, HEADERS);
    closing.push(client.close);
    return await callAll(client.call, (count) => count >= requests || performance.now() >= until);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Sends each request once, and then those that pass through without translation, until it is over. */
async function callAll(
  call: ReturnType<typeof createClient>["call"],
  isOver: (count: number) => boolean,
): Promise<number> {
  const both = (from: CallerWire, to: ProviderWire) => [
    requestOf(from, to, false),
    requestOf(from, to, true),
  ];
  const passed = PROVIDER_WIRES.flatMap((wire) => both(wire, wire));
  const translated = CALLER_WIRES.flatMap((from) =>
    PROVIDER_WIRES.flatMap((to) => (from === to ? [] : both(from, to))),
  );
  const first = [...passed, ...translated];
  let count = 0;
  const callInTurn = async (): Promise<void> => {
    while (!isOver(count)) {
      const request = first[count] ?? (passed[count % passed.length] as WireRequest);
      count += 1;
      const status = await call(request);
      if (status !== 200) throw new Error(`${request.path} was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, callInTurn));
  return count;
}

const providerOf = (wire: ProviderWire, port: number) =>
  defineProvider(wire, { origin: `http://127.0.0.1:${port}/${wire}`, speaks: [wire], key: "warm-up" });

/** A model of the provider of a wire, by its name. */
const modelOf = (wire: ProviderWire): Model => ({
  id: wire,
  inputModalities: ["text"],
  outputModalities: ["text"],
  isActive: true,
  revision: 1,
  entries: [
    {
      provider: wire,
      name: wire,
      priority: 1,
      isActive: true,
      price: { input: 1_000_000, output: 2_000_000 },
    },
  ],
});

async function openAccount({ accounts, keys }: Store): Promise<void> {
  const at = Date.now();
  const accountId = "warm-up";
  const credit = { accountId, amount: 1e12, kind: "topup", reference: "warm-up", at } as const;
  await accounts.ensure({ id: accountId, name: "warm-up", at });
  await accounts.credit(credit);
  await keys.ensure({
    id: "warm-up",
    accountId,
    name: "warm-up",
    prefix: prefixOf(KEY),
    hash: lookupHash(KEY),
    at,
  });
}
