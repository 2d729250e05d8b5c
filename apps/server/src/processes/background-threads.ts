import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";

const TASKS = "/proc/self/task";
/** The name of the threads in which the runtime marks garbage and compiles. */
const NAME = "V8Worker";
/** The niceness with which they take a tenth of a core that requests want too. */
const NICE = 10;

/**
 * Has requests go before the runtime's work in the background. Otherwise both get equal shares of a core, and each
 * request of the tenth of a second in which the heap is marked waits for most of it. Only on Linux do threads have
 * priorities of their own: elsewhere, and where they have no names, nothing changes.
 */
export function lowerBackgroundThreads(): void {
  if (process.platform !== "linux") return;
  try {
    for (const thread of readdirSync(TASKS))
      if (readFileSync(`${TASKS}/${thread}/comm`, "utf8").trim() === NAME) setPriority(Number(thread), NICE);
  } catch {
    // A sandbox that does not allow it: requests are served all the same.
  }
}
