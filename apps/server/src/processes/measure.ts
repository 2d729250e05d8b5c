import type { Metrics } from "@manifold-gateway/gateway";
import { mergeExpositions } from "./exposition.ts";
import type { Child } from "./fork.ts";

/** Milliseconds within which a process must send its metrics, so that a blocked one does not hide the others'. */
const TIMEOUT_MS = 2_000;

/** The supervisor's state of a slot for a process. */
export interface ProcessSlot {
  number: number;
  /** The process in it, if one listens. */
  child: Child | undefined;
  /** The number of times that a process was restarted in it. */
  restarts: number;
}

/** Gathers the metrics of processes. */
export function createGatherer() {
  const pending = new Map<number, (metrics: Metrics | undefined) => void>();
  let asking = 0;

  const ask = (child: Child): Promise<Metrics | undefined> =>
    new Promise((resolve) => {
      const id = ++asking;
      const end = (metrics?: Metrics): void => {
        clearTimeout(timer);
        pending.delete(id);
        resolve(metrics);
      };
      const timer = setTimeout(end, TIMEOUT_MS);
      pending.set(id, end);
      child.send({ type: "measure", id });
    });

  return {
    /** Receives a process's answer. */
    take: (id: number, metrics: Metrics | undefined): void => pending.get(id)?.(metrics),
    /** The metrics of all processes as one text, with metrics of the processes themselves. */
    async gather(slots: readonly ProcessSlot[]): Promise<Metrics> {
      const reports = await Promise.all(
        slots.map(async ({ child, ...slot }) => ({ ...slot, metrics: child && (await ask(child)) })),
      );
      const found = reports.flatMap(({ metrics }) => (metrics ? [metrics] : []));
      const rows = (name: string, value: (report: (typeof reports)[number]) => number) =>
        reports.map((report) => `${name}{process="${report.number}"} ${value(report)}`);
      const processRows = [
        "# HELP manifold_process_up 1 for a process that reported its metrics.",
        "# TYPE manifold_process_up gauge",
        ...rows("manifold_process_up", ({ metrics }) => Number(metrics !== undefined)),
        "# HELP manifold_process_restarts_total Processes started to replace one that ended unexpectedly.",
        "# TYPE manifold_process_restarts_total counter",
        ...rows("manifold_process_restarts_total", ({ restarts }) => restarts),
      ].join("\n");
      return {
        type: found[0]?.type ?? "text/plain; version=0.0.4; charset=utf-8",
        text: mergeExpositions([...found.map(({ text }) => text), processRows]),
      };
    },
  };
}
