import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { errorFields } from "./error-fields.ts";
import type { StoreLog } from "./log.ts";

export interface ThreadOptions<Message> {
  /** The name in log lines. */
  name: string;
  /** Its file, as `threadFile` finds it. */
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

/** The file of a thread, which stands beside this one. Throws if it is missing. */
export function threadFile(name: string, base: string | undefined = import.meta.url): URL {
  // The build rewrites file names in import statements only, so this name takes the extension of this file.
  const file = `${name}-thread.${base?.endsWith(".ts") ? "ts" : "js"}`;
  // A bundle as a CommonJS module has no address.
  const place = base === undefined ? undefined : new URL(file, base);
  // A bundle has no file for it: a thread that never starts would only be seen when holds are given up.
  if (place && existsSync(place)) return place;
  throw new Error(
    `The file of the ${name} thread is missing: ${place?.pathname ?? file}. If this program is a bundle, leave the packages of the gateway out of it: esbuild --packages=external.`,
  );
}

/** Starts a thread. */
export function keepThread<Message>({
  name,
  file,
  data,
  log,
  delayMs,
  onMessage,
  ended,
}: ThreadOptions<Message>): Thread {
  let worker: Worker | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const start = (): void => {
    const begun = Date.now();
    const started = new Worker(file, { workerData: data });
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
      log?.warn({ thread: name, ...errorFields(cause ?? `exit code ${code}`), waitMs }, "thread lost");
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
