import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Choice, Variant } from "./choice.ts";
import { createDatabases } from "./databases.ts";
import type { Load } from "./load.ts";
import { keyOf, type Served } from "./servers/seed.ts";
import type { Usage } from "./servers/serve.ts";
import { chatRequest } from "./wires.ts";

/** A server under measurement. */
export interface Target {
  name: string;
  origin: string;
  child?: ChildProcess;
  /** Of its chat completions. Default: the gateway's. */
  path?: string;
  headers?: Record<string, string>;
  /** Default: `bench`. */
  model?: string;
  /** Keys that are used in turn. Default: one. */
  accounts?: number;
  /** What it fails at is a result, too. */
  mayFail?: boolean;
}

export interface GatewayTarget extends Target {
  variant: Variant;
  store: string;
}

/** Everything that a measurement uses. */
export interface Rig {
  folder: string;
  /** Numbers of requests are divided by this. */
  less: number;
  direct: Target;
  /** The upstream itself and proxies, from the barest on. */
  baselines: Target[];
  gateways: GatewayTarget[];
  /** Another gateway, where one is named. */
  peers: Target[];
  /** One more gateway, for a measurement of its own. */
  gateway(variant: Variant): Promise<GatewayTarget>;
  close(): Promise<void>;
}

const PATH = "/api/chatstyle/v1/chat/completions";

/**
 * Another gateway to stand beside ours, started by whoever runs the benchmark: `BENCH_PEER` is the base URL of its
 * chat completions, `BENCH_PEER_KEY` a key for it, `BENCH_PEER_MODEL` the model that leads to the benchmark's upstream,
 * which listens on `BENCH_UPSTREAM_PORT`. `BENCH_PEER_HEADERS`, in JSON, is what else it wants to be told.
 */
function readPeers(): Target[] {
  const { BENCH_PEER: base, BENCH_PEER_KEY: key, BENCH_PEER_MODEL: model } = process.env;
  if (!base) return [];
  const { origin, pathname } = new URL(base);
  const headers = {
    ...(key && { authorization: `Bearer ${key}` }),
    ...(JSON.parse(process.env.BENCH_PEER_HEADERS ?? "{}") as Record<string, string>),
  };
  const path = `${pathname.replace(/\/$/, "")}/chat/completions`;
  return [{ name: "peer", origin, path, headers, mayFail: true, ...(model && { model }) }];
}

export async function openRig({ variants, isQuick }: Pick<Choice, "variants" | "isQuick">): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-bench-"));
  const children: ChildProcess[] = [];
  const databases = createDatabases(folder);

  async function launch(name: string, file: string, args: string[] = []): Promise<Target> {
    const child = fork(new URL(`./servers/${file}.ts`, import.meta.url), args, {
      execArgv: ["--conditions=manifold", "--expose-gc"],
    });
    children.push(child);
    const { port } = await new Promise<{ port: number }>((resolve, reject) => {
      child.once("message", (message) => resolve(message as { port: number }));
      child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
    });
    return { name, origin: `http://127.0.0.1:${port}`, child };
  }
  const close = async (): Promise<void> => {
    for (const child of children) if (child.connected) child.disconnect();
    await databases.close();
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    const upstream = await launch("upstream", "upstream");
    const direct: Target = { name: "direct", origin: upstream.origin };
    const gateway: Rig["gateway"] = async (variant) => {
      const store = await databases.make(variant.store);
      const { isBilled, accounts, processes, records } = variant;
      const served = {
        upstream: upstream.origin,
        store,
        isBilled,
        accounts,
        processes,
        records,
      } satisfies Served;
      const target = await launch(variant.name, "gateway", [JSON.stringify(served)]);
      return { ...target, variant, store, accounts };
    };
    const gateways: GatewayTarget[] = [];
    for (const variant of variants) gateways.push(await gateway(variant));
    return {
      folder,
      less: isQuick ? 20 : 1,
      direct,
      baselines: [
        direct,
        await launch("piped", "proxies", ["piped", upstream.origin]),
        await launch("dispatch", "proxies", ["dispatch", upstream.origin]),
        await launch("careful", "careful", [upstream.origin, join(folder, "careful.db")]),
      ],
      gateways,
      peers: readPeers(),
      gateway,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A request of a kind to a target. */
export function loadOf(target: Target, options: Parameters<typeof chatRequest>[0] = {}): Load {
  const { origin, path = PATH, headers, model = "bench", accounts = 1 } = target;
  let next = 0;
  return {
    origin,
    path,
    body: chatRequest({ ...options, model }),
    headers: () => ({ "x-api-key": keyOf(next++ % accounts), ...headers }),
  };
}

/** What a target took so far; nothing where it is not ours. */
export const usageOf = ({ child }: Target, gc = false): Promise<Usage | undefined> =>
  new Promise((resolve) => {
    if (!child) return resolve(undefined);
    child.once("message", (message) => resolve(message as Usage));
    child.send({ gc });
  });

/** Microseconds of CPU between two looks. */
export const cpuBetween = (before: Usage, after: Usage): number =>
  after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system;
