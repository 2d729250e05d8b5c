import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Billing, createCatalog, createGateway } from "@manifold/gateway";
import { defineProvider } from "@manifold/providers";
import { lookupHash, openSqlite, prefixOf } from "@manifold/store";

/** The gateway of the benchmark, billing on unless a third word says `free`: a file database, one account, models that pass through or translate. */
const [upstream, file, free] = process.argv.slice(2) as [string, string, string | undefined];
const KEY = "bench-key-0123456789";
const at = Date.now();
const store = await openSqlite({ path: file });
await store.accounts.ensure({ id: "acc", name: "bench", at });
await store.accounts.credit({ accountId: "acc", amount: 1e12, kind: "topup", reference: "opening", at });
await store.keys.ensure({
  id: "key",
  accountId: "acc",
  name: "bench",
  prefix: prefixOf(KEY),
  hash: lookupHash(KEY),
  at,
});

const price = { input: 1_000_000, output: 2_000_000 };
const model = (id: string, provider: string) => ({
  id,
  inputModalities: ["text", "image"],
  outputModalities: ["text"],
  isActive: true,
  revision: 1,
  entries: [{ provider, name: "bench", priority: 1, isActive: true, price }],
});
const nothing = async (): Promise<void> => {};
const unbilled: Billing = { hold: async () => ({ checkpoint: nothing, settle: async () => 0 }) };
const gateway = createGateway({
  store,
  // One key holds all the open streams whose memory is measured.
  limits: { streams: 100_000 },
  ...(free === "free" && { billing: unbilled }),
  catalog: createCatalog([model("bench", "same"), model("bench-translated", "other")]),
  providers: new Map([
    ["same", defineProvider("same", { origin: upstream, speaks: ["chatstyle"], key: "k" })],
    ["other", defineProvider("other", { origin: upstream, speaks: ["msgstyle"], key: "k" })],
  ]),
});
const server = createServer(gateway.node);
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", (message: { gc?: boolean }) => {
  if (message.gc) (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ cpu: process.cpuUsage(), memory: heapUsed + external });
});
process.on("disconnect", () => process.exit(0));
