import { Worker } from "node:worker_threads";
import type { StoreLog } from "../log.ts";

export interface ThreadOptions<Said> {
  /** In the log. */
  name: string;
  /** Its file, as the source names it: `new URL("./some-thread.ts", import.meta.url)`. */
  file: URL;
  data: unknown;
  log?: StoreLog | undefined;
  /** It posted a message. */
  said(message: Said): void;
  /** It has ended, by itself or because it was stopped. */
  ended?(): void;
}

/** A thread that is started anew when it is lost, until it is stopped. By itself it keeps no process alive. */
export interface Thread {
  /** Posts it a message; false, and without effect, while there is none. */
  post(message: unknown): boolean;
  /** Lets it keep the process alive, or not. */
  hold(isHeld: boolean): void;
  /** Asks it by the message `stop` to end; resolves when it has. */
  stop(): Promise<void>;
}

/** The wait before a lost thread is started anew doubles with each loss, and begins anew once one has lasted. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** The time that a thread may take to end on request. */
const PARTING_MS = 1_000;

export function keepThread<Said>({ name, file, data, log, said, ended }: ThreadOptions<Said>): Thread {
  // Only the names in import statements are rewritten by the build, so this one follows its own file's.
  const program = import.meta.url.endsWith(".ts") ? file : new URL(file.href.replace(/ts$/, "js"));
  let worker: Worker | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const start = (): void => {
    const begun = Date.now();
    const own = new Worker(program, { workerData: data });
    let cause: unknown;
    own.on("message", said);
    own.on("error", (error) => {
      cause = error;
    });
    own.once("exit", (code) => {
      worker = undefined;
      ended?.();
      if (isStopped) return;
      if (Date.now() - begun > LONGEST_WAIT_MS) waitMs = FIRST_WAIT_MS;
      log?.warn({ thread: name, error: String(cause ?? `exit code ${code}`), waitMs }, "thread lost");
      timer = setTimeout(start, waitMs).unref();
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    });
    own.unref();
    worker = own;
  };

  start();
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
