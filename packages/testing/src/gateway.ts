import {
  createCatalog,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type ModelOptions,
} from "@manifold-gateway/gateway";
import { createFetchTransport, defineProvider, type Provider } from "@manifold-gateway/providers";
import { createSimulator, type Simulator, type SimulatorOptions } from "@manifold-gateway/simulator";
import { lookupHash, openSqlite, prefixOf, type Store } from "@manifold-gateway/store";

/** Models, credit and settings of a gateway for tests. */
export interface TestGatewayOptions {
  /** Ids of models, each with every protocol and the same price, or whole ones. Default: `sim-text`. */
  models?: readonly (string | ModelOptions)[];
  /** Micro-USD that the account begins with. Default: 1,000 US dollars. */
  credit?: number;
  /** Options of the simulator, which replaces the providers. */
  simulator?: SimulatorOptions;
  /** Further options of the gateway; they override those made here. */
  gateway?: Partial<GatewayOptions>;
}

/** A gateway that listens nowhere, its provider, and an account to call it with. */
export interface TestGateway {
  /** The base address that clients and handlers use for it. */
  origin: string;
  /** The account's key. */
  key: string;
  /** The gateway itself. */
  gateway: Gateway;
  /** The upstream of all its calls: sets faults, and knows what was really generated. */
  simulator: Simulator;
  /** Its store: accounts, keys, records. */
  store: Store;
  /** Sends a request to it: for clients that take a `fetch`. Rejects if it is aborted before the answer begins. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The account's balance in micro-USD, once all running requests are charged. */
  balance(): Promise<number>;
  /** Waits for running requests and closes gateway and store. */
  close(): Promise<void>;
}

const ACCOUNT = "test";
const CREDIT = 1_000_000_000;
const ORIGIN = "https://gateway.test";

/** One micro-USD for each input token, two for each output token. */
export const PRICE = { input: 1_000_000, output: 2_000_000 };

const provider: Provider = defineProvider("simulator", {
  origin: "https://simulator.test",
  speaks: ["chatstyle", "responses", "msgstyle", "genstyle"],
  key: "key-of-the-simulator",
});

const toModel = (model: string | ModelOptions): ModelOptions =>
  typeof model === "object"
    ? model
    : {
        id: model,
        inputModalities: ["text", "image"],
        entries: [{ provider: provider.id, name: model, price: PRICE }],
      };

/** Opens a gateway over the simulator, with a store in memory and no port. */
export async function openTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { models = ["sim-text"], credit = CREDIT } = options;
  const simulator = createSimulator(options.simulator);
  const store = options.gateway?.store ?? (await openSqlite({ path: ":memory:" }));
  const key = "test-key-0123456789abcdef0123456789";
  await admit(store, key, credit);
  const gateway = createGateway({
    catalog: createCatalog(models.map(toModel)),
    providers: [provider],
    transport: createFetchTransport({ fetch: simulator.fetch }),
    ...options.gateway,
    store,
  });
  return {
    ...{ origin: ORIGIN, key, gateway, simulator, store },
    async fetch(input, init) {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      const response = await gateway.fetch(request);
      request.signal.throwIfAborted();
      return response;
    },
    balance: () => settledBalance(store),
    async close() {
      await gateway.drain();
      await gateway.close();
      if (!options.gateway?.store) await store.close();
    },
  };
}

async function admit(store: Store, key: string, credit: number): Promise<void> {
  const at = Date.now();
  const account = { id: ACCOUNT, name: "Test", at };
  await store.accounts.ensure(account);
  if (credit > 0)
    await store.accounts.credit({
      accountId: ACCOUNT,
      amount: credit,
      kind: "topup",
      reference: "opening",
      at,
    });
  const hash = lookupHash(key);
  await store.keys.create({ id: "key", accountId: ACCOUNT, name: "key", prefix: prefixOf(key), hash, at });
}

/** Milliseconds after which a missing charge counts as lost. */
const CHARGE_TIMEOUT = 10_000;

async function settledBalance(store: Store): Promise<number> {
  for (const end = Date.now() + CHARGE_TIMEOUT; ; ) {
    await store.money.recall(ACCOUNT);
    const { balance = 0, held = 0 } = (await store.accounts.get(ACCOUNT)) ?? {};
    if (held === 0) return balance;
    if (Date.now() > end)
      throw new Error(
        `${held} micro-USD are still held after ${CHARGE_TIMEOUT / 1_000} s: a request was not charged`,
      );
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
