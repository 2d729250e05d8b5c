import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAIN } from "../../support/program.ts";

/** The folder for traces of calls, for all databases: each has a folder of its own in it. */
export const CALLS = join(tmpdir(), "manifold-money-calls");

/** The gateway as it is run: a process of its own with a configuration file. */
export interface GatewayProcess {
  origin: string;
  signal(name: NodeJS.Signals): void;
  /** What it has printed and logged so far. */
  output(): string;
  /** Ends it as power loss would, at whatever instruction it is. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
}

/** Starts gateways on one configuration, one after the other; when one does not start, none runs. */
export async function startGateways(count: number, config: object): Promise<GatewayProcess[]> {
  const running: GatewayProcess[] = [];
  try {
    while (running.length < count) {
      const { listening, ...gateway } = launchGateway(config);
      running.push({ origin: await listening, ...gateway });
    }
    return running;
  } catch (error) {
    await Promise.all(running.map((one) => one.kill()));
    throw error;
  }
}

/** A gateway from its first instruction on; `listening` gives its origin, or rejects when it ends before. */
export function launchGateway(
  config: object,
  [program, ...options]: readonly [string, ...string[]] = [MAIN],
): Omit<GatewayProcess, "origin"> & { listening: Promise<string> } {
  const folder = mkdtempSync(join(tmpdir(), "manifold-money-"));
  const file = join(folder, "config.json");
  writeFileSync(
    file,
    JSON.stringify({ server: { port: 0, warmUp: 0, log: "warn" }, calls: CALLS, ...config }),
  );
  const child = spawn(process.execPath, ["--conditions=manifold", program, "--config", file, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const listening = new Promise<string>((found, failed) => {
    const read = (chunk: Buffer): void => {
      output += chunk;
      const [, address] = /listens on (http:\S+) /.exec(output) ?? [];
      if (address) found(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => failed(new Error(`a gateway ended with ${code}: ${output}`)));
  });
  const forget = (): void => rmSync(folder, { recursive: true, force: true });
  listening.then(forget, forget);
  return {
    listening,
    signal: (name) => void child.kill(name),
    output: () => output,
    kill: () => end(child, "SIGKILL"),
    stop: () => end(child, "SIGTERM"),
  };
}

async function end(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
