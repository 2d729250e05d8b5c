import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { StoreLog } from "./log.ts";

export interface ThreadOptions<Message> {
  /** The name in log lines. */
  name: string;
  /** Its file, as the source names it: `new URL("./some-thread.ts", import.meta.url)`. */
  file: URL;
  data: unknown;
  log?: StoreLog | undefined;
  /** The milliseconds until it starts, for a thread that a short-lived process does without. Default: at once. */
  delayMs?: number;
  /** Called with each message of the thread. */
  onMessage(message: Message): void;
  /** Called when the thread has ended, by itself or because it was stopped. */
  ended?(): void;
}

/** A thread that is restarted when it is lost, until it is stopped. It does not keep the process alive by itself. */
export interface Thread {
  /** Posts a message; false, without effect, while the thread is not running. */
  post(message: unknown): boolean;
  /** Sets whether the thread keeps the process alive. */
  hold(isHeld: boolean): void;
  /** Sends the message `stop`; resolves when the thread has ended. */
  stop(): Promise<void>;
}

/** The wait before a restart; it doubles with each loss, and is reset once a thread has lasted. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** The time that a thread may take to end on request. */
const PARTING_MS = 1_000;

/** Starts a thread. Throws if its file is missing, as in a bundle. */
export function keepThread<Message>({
  name,
  file,
  data,
  log,
  delayMs,
  onMessage,
  ended,
}: ThreadOptions<Message>): Thread {
  // The build rewrites file names in import statements only, so this name takes the extension of this file.
  const program = import.meta.url.endsWith(".ts") ? file : new URL(file.href.replace(/ts$/, "js"));
  // A bundle has no file for it: a thread that never starts would only be seen when holds are given up.
  if (!existsSync(program))
    throw new Error(
      `The file of the ${name} thread is missing: ${program.pathname}. If this program is a bundle, leave the packages of the gateway out of it: esbuild --packages=external.`,
    );
  let worker: Worker | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const start = (): void => {
    const begun = Date.now();
    const started = new Worker(program, { workerData: data });
    let cause: unknown;
    started.on("message", onMessage);
    started.on("error", (error) => {
      cause = error;
    });
    started.once("exit", (code) => {
      worker = undefined;
      ended?.();
      if (isStopped) return;
      if (Date.now() - begun > LONGEST_WAIT_MS) waitMs = FIRST_WAIT_MS;
      log?.warn({ thread: name, error: String(cause ?? `exit code ${code}`), waitMs }, "thread lost");
      timer = setTimeout(start, waitMs).unref();
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    });
    started.unref();
    worker = started;
  };

  if (delayMs === undefined) start();
  else timer = setTimeout(start, delayMs).unref();
  return {
    post(message) {
      worker?.postMessage(message);
      return worker !== undefined;
    },
    hold: (isHeld) => (isHeld ? worker?.ref() : worker?.unref()),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      const last = worker;
      if (!last) return;
      const gone = new Promise((resolve) => last.once("exit", resolve));
      last.ref();
      last.postMessage("stop");
      const late = setTimeout(() => void last.terminate(), PARTING_MS);
      await gone;
      clearTimeout(late);
    },
  };
}
