import { availableParallelism } from "node:os";
import { type Problem, problemAt } from "../config/problem.ts";
import type { Config } from "../config/schema.ts";

/** The most requests at one time that each limited provider takes, by its id. */
const limits = ({ providers }: Config): [id: string, maxConcurrent: number][] =>
  Object.entries(providers).flatMap(([id, { concurrency }]) =>
    concurrency ? [[id, concurrency.maxConcurrent]] : [],
  );

/**
 * How many processes a configuration asks for. `auto` is one for each core, and no more than the requests that a
 * provider takes at one time can be shared among.
 */
export function countOf(config: Config, cores = availableParallelism()): number {
  const { processes } = config.server;
  if (processes !== "auto") return processes;
  return Math.min(cores, ...limits(config).map(([, maxConcurrent]) => maxConcurrent));
}

/** What stands in the way of the processes that a configuration asks for. */
export function problemsOfProcesses(config: Config): Problem[] {
  const { processes } = config.server;
  if (processes === 1) return [];
  const problems: Problem[] = [];
  if (config.store === "sqlite::memory:")
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

/** The part of a total that falls to one process; the parts of all come to the total. */
export const shareOf = (total: number, { number, of }: { number: number; of: number }): number =>
  Math.floor((total + of - number) / of);
