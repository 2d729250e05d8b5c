import cluster from "node:cluster";
import type { Order, Report } from "./messages.ts";

/** How a process ended. */
export interface Exit {
  code: number | null;
  signal: string | null;
}

/** A process that serves, as its supervisor sees it. */
export interface Child {
  pid: number | undefined;
  send(order: Order): void;
  /** Calls `receive` for each report from now on. */
  listen(receive: (report: Report) => void): void;
  exited: Promise<Exit>;
  kill(): void;
}

/** The variable with a process's number, which only a process with a supervisor has. */
export const NUMBER = "MANIFOLD_PROCESS";

/**
 * Starts another process of this program on the same port. All share one socket, from which each accepts connections
 * when it is free, so those waiting when one ends go to the others. With a socket for each (`reusePort`, only on Linux)
 * the system would reset the connections waiting for one that ends. If the parent distributed connections, those on
 * their way to it would hang.
 */
export function forkChild(number: number): Child {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // Structured cloning keeps undefined members of the settings.
  cluster.setupPrimary({ serialization: "advanced" });
  const worker = cluster.fork({ [NUMBER]: String(number) });
  return {
    pid: worker.process.pid,
    send: (order) => {
      if (worker.isConnected()) worker.send(order, () => {});
    },
    listen: (receive) => void worker.on("message", receive),
    exited: new Promise((resolve) => {
      worker.once("exit", (code: number | null, signal: string | null) => resolve({ code, signal }));
      // Also emitted if an order cannot be sent. Without a pid the process could not be started, and never exits.
      worker.on("error", () => worker.process.pid === undefined && resolve({ code: null, signal: null }));
    }),
    kill: () => void worker.process.kill("SIGKILL"),
  };
}
