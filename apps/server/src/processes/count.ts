import { availableParallelism } from "node:os";
import { type Problem, problemAt } from "../config/problem.ts";
import type { Config } from "../config/schema.ts";
import { storeUrl } from "../config/store.ts";

/** The concurrency limit of each limited provider, by its id. */
const limits = ({ providers }: Config): [id: string, maxConcurrent: number][] =>
  Object.entries(providers).flatMap(([id, { concurrency }]) =>
    concurrency ? [[id, concurrency.maxConcurrent]] : [],
  );

/**
 * The number of processes that a configuration requests. `auto` is one for each core, but no more than the lowest
 * concurrency limit of a provider, which the processes share.
 */
export function countOf(config: Config, cores = availableParallelism()): number {
  const { processes } = config.server;
  if (processes !== "auto") return processes;
  return Math.min(cores, ...limits(config).map(([, maxConcurrent]) => maxConcurrent));
}

/** The problems of a configuration with several processes. */
export function problemsOfProcesses(config: Config): Problem[] {
  const { processes } = config.server;
  if (processes === 1) return [];
  const problems: Problem[] = [];
  if (storeUrl(config.store) === "sqlite::memory:")
    problems.push(
      problemAt(
        ["server", "processes"],
        `${JSON.stringify(processes)} needs a store that processes can share, and 'sqlite::memory:' belongs to one process; use 1, a file or Postgres`,
      ),
    );
  if (processes !== "auto")
    for (const [id, maxConcurrent] of limits(config))
      if (maxConcurrent < processes)
        problems.push(
          problemAt(
            ["providers", id, "concurrency", "maxConcurrent"],
            `${maxConcurrent} cannot be divided among the ${processes} of server.processes; it has to be ${processes} or more`,
          ),
        );
  return problems;
}

/** One process's share of a total; the shares of all add up to the total. */
export const shareOf = (total: number, { number, of }: { number: number; of: number }): number =>
  Math.floor((total + of - number) / of);
