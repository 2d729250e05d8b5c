import { Worker } from "node:worker_threads";

export interface PoolOptions {
  /** The time that a thread may take for one task. */
  timeoutMs: number;
  /** Megabytes of objects that a thread may hold; raw bytes do not count. */
  heapMb: number;
  /** Threads at most; they start when there is work. */
  workers: number;
}

/** The time that a thread may take to start, on top: a machine under load is not the task's fault. */
const START_MS = 10_000;

/** The result of a task: the thread's answer, or the limit that it broke and was ended for. */
export type Outcome<Answer> = { type: "answer"; answer: Answer } | { type: "timeout" } | { type: "memory" };

export interface Pool<Task, Answer> {
  /** Rejects when the pool is closed, or when the thread fails otherwise than by a limit. */
  run(task: Task): Promise<Outcome<Answer>>;
  /** Ends the threads; running and waiting tasks are rejected. */
  close(): Promise<void>;
}

interface Job<Task, Answer> {
  task: Task;
  resolve(outcome: Outcome<Answer>): void;
  reject(error: Error): void;
}

const isMemory = (error: Error): boolean => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

/**
 * Threads that do one task at a time, each within a deadline and a heap. One that breaks a limit is ended, and the
 * next task gets a new one. The script answers each message with one message.
 */
export function createPool<Task, Answer>(script: URL, options: PoolOptions): Pool<Task, Answer> {
  const { timeoutMs, heapMb, workers } = options;
  const idle = new Set<Worker>();
  const busy = new Map<Worker, (error: Error) => void>();
  const waiting: Job<Task, Answer>[] = [];
  let closed = false;

  function start(): Worker {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    // One that dies while idle fails no request; without a listener it would end the process.
    worker.on("error", () => {});
    worker.on("exit", () => idle.delete(worker));
    return worker;
  }

  function take(): [worker: Worker, deadlineMs: number] {
    const [rested] = idle;
    if (!rested) return [start(), timeoutMs + START_MS];
    idle.delete(rested);
    rested.ref();
    return [rested, timeoutMs];
  }

  function perform({ task, resolve, reject }: Job<Task, Answer>): void {
    const [worker, deadlineMs] = take();
    const end = (settle: () => void, keep: boolean): void => {
      clearTimeout(timer);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      busy.delete(worker);
      if (keep) {
        idle.add(worker);
        // Threads at rest do not keep the process alive.
        worker.unref();
      } else void worker.terminate();
      settle();
      next();
    };
    const onMessage = (answer: Answer): void => end(() => resolve({ type: "answer", answer }), true);
    const onError = (error: Error): void =>
      end(() => (isMemory(error) ? resolve({ type: "memory" }) : reject(error)), false);
    const onExit = (): void =>
      end(() => reject(new Error("a probing thread ended without an answer")), false);
    const timer = setTimeout(() => end(() => resolve({ type: "timeout" }), false), deadlineMs);
    busy.set(worker, (error) => end(() => reject(error), false));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    try {
      worker.postMessage(task);
    } catch (error) {
      end(() => reject(error as Error), true);
    }
  }

  function next(): void {
    if (closed || busy.size >= workers) return;
    const job = waiting.shift();
    if (job) perform(job);
  }

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error("the pool is closed"));
        waiting.push({ task, resolve, reject });
        next();
      }),
    async close() {
      closed = true;
      const error = new Error("the pool was closed");
      for (const { reject } of waiting.splice(0)) reject(error);
      const all = [...idle, ...busy.keys()];
      for (const stop of [...busy.values()]) stop(error);
      await Promise.all(all.map((worker) => worker.terminate()));
    },
  };
}
