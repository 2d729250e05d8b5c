import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { type Billing, createCatalog, createGateway } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { openPostgres, openSqlite, type Store } from "@manifold-gateway/store";
import { type Served, seed } from "./seed.ts";
import { serve, type Usage, usageNow } from "./serve.ts";

/** The gateway of the benchmark, in one process or in several: models that pass through and models that translate. */
const options = JSON.parse(process.argv[2] as string) as Served;
const { store: url, processes, accounts } = options;

const open = (): Promise<Store> =>
  url.startsWith("sqlite:")
    ? openSqlite({ path: url.slice("sqlite:".length), records: { requests: options.records } })
    : openPostgres({ url, records: { requests: options.records } });

if (cluster.isPrimary) {
  const store = await open();
  await seed(store, accounts);
  if (processes === 1) serveWith(store);
  else {
    await store.close();
    await superviseSome();
  }
} else serveWith(await open());

function serveWith(store: Store): void {
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
  const { upstream } = options;
  store.startHeartbeat();
  const gateway = createGateway({
    store,
    // One key holds all the open streams whose memory is measured.
    limits: { streams: 100_000, concurrentRequests: 100_000 },
    ...(!options.isBilled && { billing: unbilled }),
    catalog: createCatalog([model("bench", "same"), model("bench-translated", "other")]),
    providers: new Map([
      ["same", defineProvider("same", { origin: upstream, speaks: ["chatstyle"], key: "k" })],
      ["other", defineProvider("other", { origin: upstream, speaks: ["msgstyle"], key: "k" })],
    ]),
  });
  serve(gateway.node);
}

/** One socket for all, as the server has it; what they take is told as one. */
async function superviseSome(): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const workers: Worker[] = [];
  let port = 0;
  while (workers.length < processes) {
    const worker = cluster.fork();
    [{ port }] = (await once(worker, "message")) as [{ port: number }];
    worker.on("exit", (code) => process.exit(code || 1));
    workers.push(worker);
  }
  process.on("message", async ({ gc }: { gc?: boolean }) => {
    const told = workers.map(async (worker) => {
      const answer = once(worker, "message");
      worker.send({ gc });
      return ((await answer) as [Usage])[0];
    });
    const all = [usageNow(gc), ...(await Promise.all(told))];
    const sum = (of: (usage: Usage) => number): number => all.reduce((total, one) => total + of(one), 0);
    process.send?.({
      cpu: { user: sum(({ cpu }) => cpu.user), system: sum(({ cpu }) => cpu.system) },
      memory: sum(({ memory }) => memory),
    });
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.({ port });
}
