import { setTimeout } from "node:timers/promises";
import { flood, median } from "./load.ts";
import { usageOf } from "./process-usage.ts";
import { loadOf, type Target } from "./rig.ts";
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
}

const ROUNDS = 5;
const ROUND_MS = 2_500;
/** Before CPU is read: what a server does a moment after a request, such as writing texts, belongs to the request. */
const AFTER_MS = 500;

interface Round {
  rate: number;
  cpu?: number | undefined;
  resident?: number | undefined;
}

async function round({ target, work }: Entrant, ms: number): Promise<Round> {
  const usage = () => (target.pid === undefined ? undefined : usageOf(target.pid));
  const before = usage();
  const { rate, count } = await flood(loadOf(target, work.request), { ms }, work.connections);
  await setTimeout(AFTER_MS);
  const after = usage();
  if (!before || !after) return { rate };
  return { rate, cpu: (after.cpu - before.cpu) / count, resident: after.resident };
}

/** Warms all entrants, and measures them in rounds, in turn; `undefined` for a peer that failed. */
export async function contest(entrants: readonly Entrant[], less = 1): Promise<(Result | undefined)[]> {
  const rounds = new Map<Entrant, Round[]>(entrants.map((entrant) => [entrant, []]));
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
      if (done) await attempt(entrant, async () => void done.push(await round(entrant, ROUND_MS / less)));
    }
  return entrants.map((entrant) => {
    const done = rounds.get(entrant);
    if (!done) return undefined;
    const cpus = done.flatMap(({ cpu }) => cpu ?? []);
    const resident = done.at(-1)?.resident;
    return {
      rate: median(done.map(({ rate }) => rate)),
      ...(cpus.length > 0 && { cpu: median(cpus) }),
      ...(resident && { resident }),
    };
  });
}
