import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { programOf } from "../support/program.ts";
import type { Database } from "./databases/database.ts";

const CHILD = await programOf("test/store/child.ts");

/** A process of `child.ts` that stands ready; `start` lets it go and gives its lines. */
export async function startChild(database: Database, job: string, input: unknown) {
  const process_ = spawn(
    process.execPath,
    ["--conditions=manifold", CHILD, job, database.dialect, database.location, JSON.stringify(input)],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: process_.stdout! });
  await nextLine(process_, lines);
  return {
    lines,
    start: () => process_.stdin!.write("go\n"),
    signal: (name: NodeJS.Signals) => void process_.kill(name),
    /** Kills it as power loss would, at whatever instruction it is. */
    async kill() {
      const ended = once(process_, "exit");
      if (process_.kill("SIGKILL")) await ended;
    },
    async ended() {
      const [code] = process_.exitCode === null ? await once(process_, "exit") : [process_.exitCode];
      if (code !== 0) throw new Error(`a child ended with ${code}`);
    },
  };
}

async function nextLine(process_: ChildProcess, lines: Interface): Promise<void> {
  const died = once(process_, "exit").then(() => {
    throw new Error("a child ended before it was ready");
  });
  died.catch(() => {});
  await Promise.race([once(lines, "line"), died]);
}
