import type { Metrics } from "@manifold-gateway/gateway";
import { mergeExpositions } from "./exposition.ts";
import type { Child } from "./fork.ts";

/** How long a process has to tell its metrics, in ms: one whose event loop stands still must not hide the others'. */
const PATIENCE_MS = 2_000;

/** What the supervisor knows of a place for a process. */
export interface Place {
  number: number;
  /** The process in it, where one listens. */
  child: Child | undefined;
  /** How often another process had to be started in it. */
  restarts: number;
}

/** Gathers the metrics of processes. */
export function createGatherer(patienceMs = PATIENCE_MS) {
  const asked = new Map<number, (metrics: Metrics | undefined) => void>();
  let asking = 0;

  const ask = (child: Child): Promise<Metrics | undefined> =>
    new Promise((resolve) => {
      const id = ++asking;
      const end = (metrics?: Metrics): void => {
        clearTimeout(timer);
        asked.delete(id);
        resolve(metrics);
      };
      const timer = setTimeout(end, patienceMs);
      asked.set(id, end);
      child.tell({ type: "measure", id });
    });

  return {
    /** Takes what a process answered. */
    take: (id: number, metrics: Metrics | undefined): void => asked.get(id)?.(metrics),
    /** One text of them all, with what there is to say of the processes themselves. */
    async gather(places: readonly Place[]): Promise<Metrics> {
      const told = await Promise.all(
        places.map(async ({ child, ...place }) => ({ ...place, metrics: child && (await ask(child)) })),
      );
      const found = told.flatMap(({ metrics }) => (metrics ? [metrics] : []));
      const rows = (name: string, value: (place: (typeof told)[number]) => number) =>
        told.map((place) => `${name}{process="${place.number}"} ${value(place)}`);
      const own = [
        "# HELP manifold_process_up 1 for a process that reported its metrics.",
        "# TYPE manifold_process_up gauge",
        ...rows("manifold_process_up", ({ metrics }) => Number(metrics !== undefined)),
        "# HELP manifold_process_restarts_total Processes started to replace one that ended unexpectedly.",
        "# TYPE manifold_process_restarts_total counter",
        ...rows("manifold_process_restarts_total", ({ restarts }) => restarts),
      ].join("\n");
      return {
        type: found[0]?.type ?? "text/plain; version=0.0.4; charset=utf-8",
        text: mergeExpositions([...found.map(({ text }) => text), own]),
      };
    },
  };
}
