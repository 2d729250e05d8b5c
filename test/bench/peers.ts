import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { once } from "./load.ts";
import { loadOf, type Target } from "./rig.ts";

/** Another gateway. */
export interface Peer {
  name: string;
  /** The base URL of its chat completions. */
  url: string;
  key?: string;
  /** Default: `bench`. */
  model?: string;
  headers?: Record<string, string>;
  /** Starts it. Default: it runs already, and its CPU is not measured. */
  command?: [string, ...string[]];
}

const PATIENCE_MS = 60_000;

/** `BENCH_PEERS` lists other gateways in JSON. */
export const readPeers = (text = process.env.BENCH_PEERS): Peer[] => JSON.parse(text || "[]") as Peer[];

const targetOf = ({ name, url, key, model = "bench", headers }: Peer): Target => {
  const { origin, pathname } = new URL(url);
  return {
    ...{ name, origin, model, mayFail: true },
    path: `${pathname.replace(/\/$/, "")}/chat/completions`,
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers },
  };
};

/** Starts a peer on some cores, and resolves once it answers; at once for one that runs already. */
export async function startPeer(
  peer: Peer,
  cores: readonly number[] | undefined,
  started: (child: ChildProcess) => void,
): Promise<Target> {
  const target = targetOf(peer);
  if (!peer.command) return target;
  const [file, ...args] = cores ? (["taskset", "-c", cores.join(), ...peer.command] as const) : peer.command;
  // A group of its own is ended with all that the command starts.
  const child = spawn(file, args, { stdio: "ignore", detached: true });
  started(child);
  const { pid } = child;
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until && child.exitCode === null) {
    const isUp = await once(loadOf(target)).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await setTimeout(250);
  }
  return { ...target, child, ...(pid && { pid }) };
}
