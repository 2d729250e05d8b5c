import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Cores of this machine by their numbers: for what makes load and answers it, and for what is measured. */
export interface Cores {
  load: number[];
  measured: number[];
}

/** Cores that this process may use, where Linux tells. */
function allowedCores(): number[] {
  try {
    const [, list = ""] =
      /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return list.split(",").flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
  } catch {
    return [];
  }
}

/** Divides cores: the last ones are for what is measured, in so many processes, and at least one is for the load. */
export function divideCores(all: readonly number[], processes: number): Cores | undefined {
  if (all.length < 2) return undefined;
  const measured = Math.min(processes, all.length - 1);
  return { load: all.slice(0, -measured), measured: all.slice(-measured) };
}

/** Moves a process with all its threads to some cores; false if that cannot be done here. */
export const pin = (pid: number, cores: readonly number[]): boolean =>
  spawnSync("taskset", ["-acp", cores.join(), String(pid)], { stdio: "ignore" }).status === 0;

/** Linux counts in hundredths of a second. */
const TICK_US = 10_000;

/** Microseconds that cores have been busy with anything since the machine started. */
export function busyOf(cores: readonly number[]): number {
  const text = readFileSync("/proc/stat", "utf8");
  return cores.reduce((sum, core) => {
    const [, counts = ""] = new RegExp(`^cpu${core} (.*)$`, "m").exec(text) ?? [];
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = counts
      .split(" ")
      .map(Number);
    return sum + (user + nice + system + irq + softirq + steal) * TICK_US;
  }, 0);
}

/** Divides this machine's cores, and takes this process, with whatever it starts, to those of the load. */
export function takeCores(processes: number): Cores | undefined {
  const cores = divideCores(allowedCores(), processes);
  return cores && pin(process.pid, cores.load) ? cores : undefined;
}

export const sayCores = (cores: Cores | undefined): string =>
  cores
    ? `Cores ${cores.load} make the load and answer it; what is measured is alone on ${cores.measured}.`
    : "Load, provider and what is measured share the cores.";
