/** How long a line waits for others, in milliseconds. */
const WAIT_MS = 5;

/**
 * The most bytes that are written at once. A pipe takes as many without letting another writer in between
 * (`PIPE_BUF`), so the lines of processes that share one do not mix.
 */
const MOST_BYTES = 4096;

/** Takes finished lines; an urgent one is written at once, after those that wait. */
export type TakeLine = (line: string, isUrgent: boolean) => void;

/**
 * Gathers lines for one write, because each write is a system call. The order is kept. What waits is written when the
 * process exits, also for an uncaught error; a process that is killed loses the lines of its last `WAIT_MS`.
 */
export function gatherLines(write: (lines: string) => void): TakeLine {
  let waiting = "";
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    process.off("exit", flush);
    const lines = waiting;
    waiting = "";
    bytes = 0;
    write(lines);
  };
  return (line, isUrgent) => {
    const size = Buffer.byteLength(line);
    if (timer !== undefined && bytes + size > MOST_BYTES) flush();
    waiting += line;
    bytes += size;
    if (isUrgent || bytes >= MOST_BYTES) flush();
    else if (timer === undefined) {
      timer = setTimeout(flush, WAIT_MS).unref();
      process.once("exit", flush);
    }
  };
}
