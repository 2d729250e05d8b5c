import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The operating system's data about a process. */
interface Process {
  /** `Z` and `X` mean that the process has ended and its parent has not collected it yet. */
  state: string;
  /** Its start, in ticks since boot: a process that reuses the same id has another start. */
  began: string;
}

/** Undefined if there is no such process, if it is hidden, or if the system has no `/proc`. */
function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses, which may contain any characters.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0]!, began: fields[19]! };
  } catch {
    return undefined;
  }
}

/**
 * A name for the space in which process ids are unique: the kernel's boot and the namespace of process ids. Containers
 * of one host have different ones, even with equal host names. Undefined if the system does not provide it.
 */
function readSpace(): string | undefined {
  try {
    // The `/proc` of another namespace shows other processes.
    if (readlinkSync("/proc/self") !== String(process.pid)) return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1");
    return createHash("sha256")
      .update(boot + readlinkSync("/proc/self/ns/pid"))
      .digest("base64url")
      .slice(0, 16);
  } catch {
    return undefined;
  }
}

const SPACE = readSpace();
const UNKNOWN = "-";
const BEGAN = readProcess(process.pid)?.began;

/** A unique name for the holds of one open store. It also identifies the process, to check whether that has ended. */
export const makeOwner = (): string =>
  [hostname(), process.pid, SPACE ?? UNKNOWN, BEGAN ?? UNKNOWN, randomUUID()].join("/");

/** An owner's process in words. */
export function describeOwner(owner: string): string {
  const [host, number] = owner.split("/");
  return `process ${number} on ${host}`;
}

/** Checks whether an owner's process has ended; undefined if that cannot be seen from this process. */
export function hasEnded(owner: string): boolean | undefined {
  const [, number, space, began] = owner.split("/");
  if (SPACE === undefined || space !== SPACE || began === UNKNOWN) return undefined;
  const pid = Number(number);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return true;
  }
  const found = readProcess(pid);
  return found && (found.began !== began || /[ZX]/.test(found.state));
}
