import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { type Usage, usageOf } from "./process-usage.ts";

export interface Launched {
  origin: string;
  pid: number;
  child: ChildProcess;
  /** Until it listened. */
  start: { ms: number; usage: Usage | undefined };
}

const REMOTE = join(import.meta.dirname, "servers/remote.mjs");

/** Starts a program of this repository alone on some cores; resolves once it has printed where it listens. */
export function launch(
  name: string,
  program: readonly string[],
  cores?: readonly number[],
): Promise<Launched> {
  const began = performance.now();
  const node = [process.execPath, "--conditions=manifold", "--expose-gc", "--import", REMOTE, ...program];
  const [command, ...args] = cores ? ["taskset", "-c", cores.join(), ...node] : node;
  const child = spawn(command as string, args, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const { pid } = child;
  return new Promise((resolve, reject) => {
    let said = "";
    const read = (chunk: Buffer): void => {
      said += chunk;
      const [, origin] = /listens on (http:\S+)\s/.exec(said) ?? [];
      if (origin === undefined || pid === undefined) return;
      // From now on log lines are read, as a container's are, and thrown away.
      for (const stream of [child.stdout, child.stderr]) stream?.off("data", read).resume();
      resolve({ origin, pid, child, start: { ms: performance.now() - began, usage: usageOf(pid) } });
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}: ${said}`)));
  });
}
