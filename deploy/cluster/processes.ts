import { spawn } from "node:child_process";
import { chownSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The user of programs that refuse to run as root. */
export interface User {
  uid: number;
  gid: number;
}

export interface Started {
  name: string;
  command: string;
  args: string[];
  user?: User;
  env?: NodeJS.ProcessEnv;
}

const pidFile = (folder: string, name: string): string => join(folder, "run", `${name}.pid`);

/** Starts a program that goes on without this one. */
export function start(folder: string, { name, command, args, user, env }: Started): void {
  const path = join(folder, "log", `${name}.log`);
  const log = openSync(path, "a");
  if (user) chownSync(path, user.uid, user.gid);
  const child = spawn(command, args, {
    cwd: folder,
    detached: true,
    stdio: ["ignore", log, log],
    env: { ...process.env, ...env },
    ...user,
  });
  child.on("error", () => {});
  child.unref();
  writeFileSync(pidFile(folder, name), String(child.pid));
}

/** The names of what was started and not stopped since, in the order of the start. */
export const startedIn = (folder: string): string[] => {
  try {
    return readdirSync(join(folder, "run"))
      .filter((file) => file.endsWith(".pid"))
      .map((file) => file.slice(0, -".pid".length));
  } catch {
    return [];
  }
};

export function pidOf(folder: string, name: string): number | undefined {
  try {
    return Number(readFileSync(pidFile(folder, name), "utf8"));
  } catch {
    return undefined;
  }
}

/** Checks that the process of that number is still the one that was started: each names the folder. */
export function isRunning(folder: string, pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "latin1");
    const [, state] = /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? [];
    return words.includes(folder) && state !== "Z";
  } catch {
    return false;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until something holds; after the time, an error says what did not come. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  timeout = 60_000,
): Promise<void> {
  const end = Date.now() + timeout;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${timeout / 1_000} s`);
    await pause(100);
  }
}

/** Ends a program in order, or at once where it does not within the time. */
export async function stop(folder: string, name: string, graceMs = 30_000): Promise<void> {
  const pid = pidOf(folder, name);
  if (pid !== undefined && isRunning(folder, pid)) {
    process.kill(pid, "SIGCONT");
    process.kill(pid, "SIGTERM");
    const isGone = (): boolean => !isRunning(folder, pid);
    await until(name, isGone, graceMs).catch(() => process.kill(pid, "SIGKILL"));
  }
  rmSync(pidFile(folder, name), { force: true });
}
