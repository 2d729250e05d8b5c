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
  tell(order: Order): void;
  /** Calls for each report from now on. */
  listen(hear: (report: Report) => void): void;
  exited: Promise<Exit>;
  kill(): void;
}

/** Says to a process which one it is, and that it has a supervisor. */
export const NUMBER = "MANIFOLD_PROCESS";

/**
 * Another process of this program, on the same port. They share one socket, from which each takes connections when it
 * is free: one that ends leaves those that wait to the others. With a socket for each (`reusePort`, on Linux alone)
 * the system resets what waits for one that ends; where the parent hands connections out, those on their way to it
 * hang.
 */
export function forkChild(number: number): Child {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // Settings are handed over as they are, undefined members and all.
  cluster.setupPrimary({ serialization: "advanced" });
  const worker = cluster.fork({ [NUMBER]: String(number) });
  return {
    pid: worker.process.pid,
    tell: (order) => {
      if (worker.isConnected()) worker.send(order, () => {});
    },
    listen: (hear) => void worker.on("message", hear),
    exited: new Promise((resolve) => {
      worker.once("exit", (code: number | null, signal: string | null) => resolve({ code, signal }));
      // One that has ended takes no orders, which is told here too; one that could not be made never ends.
      worker.on("error", () => worker.process.pid === undefined && resolve({ code: null, signal: null }));
    }),
    kill: () => void worker.process.kill("SIGKILL"),
  };
}
