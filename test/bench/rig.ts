import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { Choice, Variant } from "./choice.ts";
import { type Cores, takeCores } from "./cores.ts";
import { createDatabases } from "./databases.ts";
import { type Launched, launch } from "./launch.ts";
import type { Load } from "./load.ts";
import { readPeers, startPeer } from "./peers.ts";
import { configOf, keyOf, seed } from "./servers/seed.ts";
import { chatRequest } from "./wires.ts";

/** A server under measurement. */
export interface Target {
  name: string;
  origin: string;
  /** Where its CPU is measured. */
  pid?: number;
  child?: ChildProcess;
  start?: Launched["start"];
  /** Of its chat completions. Default: the gateway's. */
  path?: string;
  headers?: Record<string, string>;
  /** Default: `bench`. */
  model?: string;
  /** Keys that are used in turn. Default: one. */
  accounts?: number;
  /** A failure is a result, too. */
  mayFail?: boolean;
  /** Of a gateway of this project. */
  variant?: Variant;
}

export interface GatewayTarget extends Target {
  variant: Variant;
  store: string;
}

/** Proxies and gateways that do less. */
export type Baseline = "dispatch" | "careful" | "translator";

/** What measurements use. Each starts the servers that it needs, so that no other work has shaped their code. */
export interface Rig {
  folder: string;
  /** Work is divided by this. */
  less: number;
  cores: Cores | undefined;
  variants: Variant[];
  /** Baselines of the chosen ones that stand beside gateways. */
  beside: Baseline[];
  /** The provider itself. */
  direct: Target;
  baseline(name: Baseline): Promise<Target>;
  /** Other gateways, where some are named. */
  peers(): Promise<Target[]>;
  /** A gateway on a database of its own, or on one that is there. */
  gateway(variant: Variant, store?: string): Promise<GatewayTarget>;
  /** A database with the accounts of a variant. */
  database(variant: Variant): Promise<string>;
  end(target: Target): Promise<void>;
  /** Ends all that measurements have started. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const PATH = "/api/chatstyle/v1/chat/completions";
const SERVERS = join(import.meta.dirname, "servers");
/** What `npm start` runs; another build of the server may be measured. */
const MAIN = process.env.BENCH_SERVER ?? join(import.meta.dirname, "../../tools/start.mjs");
/** The options of the runtime with which `npm start` starts it. */
const OPTIONS = manifest.scripts.start.split(" ").filter((word) => /^--(?!conditions)/.test(word));

export async function openRig({ variants, isQuick, beside }: Omit<Choice, "measurements">): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-bench-"));
  const cores = takeCores(Math.max(...variants.map(({ processes }) => processes)));
  const databases = createDatabases(folder);
  const running = new Set<ChildProcess>();
  let count = 0;

  const started = (child: ChildProcess): void => {
    running.add(child);
    child.once("exit", () => running.delete(child));
  };
  async function start(
    name: string,
    program: readonly string[],
    on: readonly number[] | undefined,
  ): Promise<Target> {
    const launched = await launch(name, program, on);
    started(launched.child);
    return { name, ...launched };
  }
  process.on("exit", () => {
    for (const child of running) stop(child);
  });
  const end = (child: ChildProcess | undefined): Promise<void> =>
    new Promise((resolve) => {
      if (!child || !running.has(child)) return resolve();
      child.once("exit", () => resolve());
      stop(child);
    });
  const clear = async (): Promise<void> => void (await Promise.all([...running].map(end)));

  try {
    const upstream = await start("upstream", [join(SERVERS, "upstream.ts")], cores?.load);
    running.delete(upstream.child as ChildProcess);
    const { origin } = upstream;
    const database: Rig["database"] = async ({ store: kind, accounts, records }) => {
      const store = await databases.make(kind);
      await seed({ store, records }, accounts);
      return store;
    };
    return {
      ...{ folder, cores, variants, beside, database, clear },
      less: isQuick ? 20 : 1,
      direct: { name: "direct", origin },
      baseline: (name) =>
        start(
          name,
          [join(SERVERS, `${name}.ts`), origin, join(folder, `${name}-${count++}.db`)],
          cores?.measured.slice(-1),
        ),
      async peers() {
        const targets: Target[] = [];
        for (const peer of readPeers())
          targets.push(await startPeer(peer, cores?.measured.slice(-1), started));
        return targets;
      },
      async gateway(variant, store) {
        store ??= await database(variant);
        const { name, kind, accounts, processes, records } = variant;
        const served = { upstream: origin, store, records };
        const file = join(folder, `config-${count++}.json`);
        writeFileSync(file, JSON.stringify(configOf(served, processes)));
        const program =
          kind === "billed"
            ? [...OPTIONS, MAIN, "--config", file]
            : [join(SERVERS, "embedded.ts"), JSON.stringify({ ...served, isBilled: kind === "embedded" })];
        const target = await start(name, program, cores?.measured.slice(-processes));
        return { ...target, variant, store, accounts };
      },
      end: ({ child }) => end(child),
      async close() {
        await clear();
        upstream.child?.disconnect();
        await databases.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await databases.close();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Ends a server of the benchmark, or a peer with whatever it has started. */
function stop(child: ChildProcess): void {
  if (child.connected) child.disconnect();
  else if (child.pid !== undefined) process.kill(-child.pid);
}

/** A request of a kind to a target. */
export function loadOf(target: Target, options: Parameters<typeof chatRequest>[0] = {}): Load {
  const { origin, path = PATH, headers, model = "bench", accounts = 1 } = target;
  let next = 0;
  return {
    origin,
    path,
    body: chatRequest({ model, ...options }),
    headers: () => ({ "x-api-key": keyOf(next++ % accounts), ...headers }),
  };
}
