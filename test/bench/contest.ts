import { setTimeout } from "node:timers/promises";
import { busyOf, type Cores } from "./cores.ts";
import { flood, median } from "./load.ts";
import { usageOf } from "./process-usage.ts";
import { loadOf, type Rig, type Target } from "./rig.ts";
import type { chatRequest } from "./wires.ts";

/** What a target is measured under. */
export interface Work {
  request: Parameters<typeof chatRequest>[0];
  connections: number;
  /** Requests before anything is measured: code is compiled, and compiled anew, for some 20,000. */
  warm: number;
}

/** A target under some work. */
export interface Entrant {
  target: Target;
  work: Work;
}

/** The median of an entrant's rounds. */
export interface Result {
  /** Requests a second. */
  rate: number;
  /** Microseconds of CPU a request, where the system tells. */
  cpu?: number;
  /** MiB after the last round, where the system tells. */
  resident?: number;
  /** The share of the time that other work took of its cores, which it should have for itself. */
  otherWork?: number;
}

const ROUNDS = 5;
const ROUND_MS = 2_500;
/** Before CPU is read: what a server does a moment after a request, such as writing texts, belongs to the request. */
const AFTER_MS = 500;

async function round({ target, work }: Entrant, ms: number, cores: Cores | undefined): Promise<Result> {
  const look = () => ({
    usage: target.pid === undefined ? undefined : usageOf(target.pid),
    busy: cores ? busyOf(cores.measured) : Number.NaN,
    at: performance.now() * 1_000,
  });
  const before = look();
  const { rate, count } = await flood(loadOf(target, work.request), { ms }, work.connections);
  const done = look();
  await setTimeout(AFTER_MS);
  const after = look();
  if (!before.usage || !done.usage || !after.usage) return { rate };
  const own = done.usage.cpu - before.usage.cpu;
  return {
    rate,
    cpu: (after.usage.cpu - before.usage.cpu) / count,
    resident: after.usage.resident,
    otherWork: (done.busy - before.busy - own) / (done.at - before.at),
  };
}

/** The median of each figure that all rounds have. */
function medianOf(rounds: readonly Result[]): Result {
  const of = (key: keyof Result) => {
    const values = rounds.flatMap((round) => round[key] ?? []);
    return values.length > 0 ? { [key]: median(values) } : {};
  };
  return { rate: Number.NaN, ...of("rate"), ...of("cpu"), ...of("resident"), ...of("otherWork") };
}

/** Warms all entrants, and measures them in rounds, in turn; `undefined` for a peer that failed. */
export async function contest(
  entrants: readonly Entrant[],
  { less, cores }: Pick<Rig, "less" | "cores">,
): Promise<(Result | undefined)[]> {
  const rounds = new Map<Entrant, Result[]>(entrants.map((entrant) => [entrant, []]));
  const attempt = (entrant: Entrant, work: () => Promise<unknown>): Promise<unknown> =>
    work().catch((error: unknown) => {
      if (!entrant.target.mayFail) throw error;
      rounds.delete(entrant);
    });
  for (const entrant of entrants) {
    const { target, work } = entrant;
    const count = Math.ceil(work.warm / less);
    await attempt(entrant, () => flood(loadOf(target, work.request), { count }, work.connections));
  }
  for (let i = 0; i < ROUNDS; i++)
    // Whoever comes first in a round comes last in the next one.
    for (const entrant of i % 2 === 0 ? entrants : entrants.toReversed()) {
      const done = rounds.get(entrant);
      if (done)
        await attempt(entrant, async () => void done.push(await round(entrant, ROUND_MS / less, cores)));
    }
  return entrants.map((entrant) => {
    const done = rounds.get(entrant);
    return done && medianOf(done);
  });
}
