import {
  createCatalog,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type MediaOptions,
  type Model,
} from "@manifold-gateway/gateway";
import { createFetchTransport, type Provider } from "@manifold-gateway/providers";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { openSqlite, type Store } from "@manifold-gateway/store";
import type { Database } from "../store/databases/database.ts";
import { ADMIN, type Caller, callerOf } from "./caller.ts";
import { openMedia } from "./files.ts";
import { ADA, admit, type Holder } from "./holder.ts";
import { listen } from "./listen.ts";
import { textModels, textProviders } from "./text.ts";

export interface StageOptions extends Partial<Omit<GatewayOptions, "media" | "providers">> {
  /** Makes the database. Default: one in memory. A `store` that is given stays open. */
  make?: (() => Promise<Database>) | undefined;
  /** The first is who calls. Default: Ada. */
  holders?: readonly [Holder, ...Holder[]];
  /** Micro-USD that each holder begins with. */
  credit?: number;
  /** Models beside those of text, where there is no catalog. */
  models?: readonly Model[];
  /** Default: one of each protocol of text, at the simulator. */
  providers?: GatewayOptions["providers"] | ((upstream: string) => ReadonlyMap<string, Provider>);
  /** With files, jobs and links. Default: text only. */
  media?: Partial<MediaOptions>;
  /**
   * Default: requests come by a socket, and go on by sockets. `false` gives them to the gateway's `fetch`, and what it
   * asks of providers to the simulator's.
   */
  listens?: boolean;
}

export interface Stage extends Caller {
  /** Of the gateway. */
  origin: string;
  gateway: Gateway;
  simulator: Simulator;
  /** Where the simulator listens: `/samples/640x480.png`. */
  upstream: string;
  store: Store;
  /** Of the first holder, in micro-USD, without what leases hold ahead. */
  balance(): Promise<{ balance: number; held: number }>;
  /** Resolves when nothing is in flight: every generation of the first holder is settled. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A gateway, the simulator behind it, and a store with an account that has credit and a key. */
export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const { make, holders = [ADA], credit = 1_000_000_000, models = [], listens = true, ...more } = options;
  const { providers = textProviders, media, ...rest } = more;
  const [{ id: accountId, key }] = holders;
  const simulator = createSimulator();
  // Files are fetched by a way of their own, which needs a socket.
  const isApart = !listens && media === undefined;
  const upstream = isApart ? "http://simulator.test" : (await simulator.listen(0)).origin;
  const database = await make?.();
  const store = rest.store ?? (await (database?.open() ?? openSqlite({ path: ":memory:" })));
  for (const holder of holders) await admit(store, holder, credit, rest.now?.() ?? Date.now());
  const server = listens ? await listen((request, response) => gateway.node(request, response)) : undefined;
  const origin = server?.origin ?? "http://stage.test";
  const files = media && (await openMedia(origin, media));
  const gateway = createGateway({
    adminKey: ADMIN,
    catalog: createCatalog([...textModels, ...models]),
    ...(isApart && { transport: createFetchTransport({ fetch: simulator.fetch }) }),
    ...rest,
    providers: typeof providers === "function" ? providers(upstream) : providers,
    store,
    ...(files && { media: files.options }),
  });
  const balance: Stage["balance"] = async () => {
    await store.money.recall(accountId);
    const account = await store.accounts.get(accountId);
    return { balance: account?.balance ?? 0, held: account?.held ?? 0 };
  };
  return {
    ...callerOf(origin, server ? fetch : async (request) => gateway.fetch(request), key),
    ...{ origin, gateway, simulator, upstream, store, balance },
    async settled() {
      for (let tries = 0; tries < 2_000; tries++) {
        if ((await balance()).held === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error("a hold was never settled");
    },
    async close() {
      await gateway.close();
      await server?.close();
      await files?.close();
      if (!rest.store) await store.close();
      await database?.drop();
      await simulator.close();
    },
  };
}
