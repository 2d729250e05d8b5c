import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

/** Tells this process from an earlier one with the same number: a container's first process has it every time. */
const PROCESS = randomUUID();

/** A name for the holds of one open store: readable where it runs, never used twice. */
export const makeOwner = (): string => `${hostname()}/${process.pid}/${PROCESS}/${randomUUID()}`;

/** True where `owner` belongs to a process of this machine that has ended; others are judged by their heartbeat. */
export function isEnded(owner: string): boolean {
  const [host, pid, token] = owner.split("/");
  if (host !== hostname() || !/^\d+$/.test(pid ?? "")) return false;
  if (Number(pid) === process.pid) return token !== PROCESS;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
