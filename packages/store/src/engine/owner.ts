import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The system's information about a process. */
interface Process {
  /** `Z` and `X` are those of processes that have ended and are not yet taken note of. */
  state: string;
  /** When it began, in ticks since the machine did: a number that is used again has another one. */
  began: string;
}

/** Undefined where the system gives no answer: there is no such process, or no `/proc`, or it is hidden. */
function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0]!, began: fields[19]! };
  } catch {
    return undefined;
  }
}

/**
 * A name for the numbers that processes see each other by: the boot of the kernel and the namespace of process ids.
 * Containers of one host have different ones, whatever their host names are. Undefined where the system does not say.
 */
function readSpace(): string | undefined {
  try {
    // A `/proc` of another namespace shows other processes.
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

/** A name for the holds of one open store, never used twice. It says where to look whether its process has ended. */
export const makeOwner = (): string =>
  [hostname(), process.pid, SPACE ?? UNKNOWN, BEGAN ?? UNKNOWN, randomUUID()].join("/");

/** Checks whether the process of an owner has ended; undefined where that cannot be seen from this process. */
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
