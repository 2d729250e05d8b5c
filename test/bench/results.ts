import type { Entrant, Result } from "./contest.ts";
import type { Row } from "./report.ts";
import { wantedOf } from "./wanted.ts";

/** How the results of some work are reported. */
export interface Form {
  /** Events of a request, where CPU is reported for an event. */
  events?: number;
  wanted?: string;
}

/** From this share on, other work on the core of what is measured is reported. */
const DISTURBED = 0.05;

type Results = readonly (Result | undefined)[];

/** The rate of an entrant beside another's, where both have one. */
function shareOf(i: number, other: number, entrants: readonly Entrant[], results: Results): string[] {
  const [mine, theirs] = [results[i], results[other]];
  if (i === other || !mine || !theirs) return [];
  return [`${(mine.rate / theirs.rate).toFixed(2)} × the rate of ${entrants[other]?.target.name}`];
}

/** Rows of results: CPU beside that of the first entrant, and rates beside that one's or the first gateway's. */
export function rowsOf(
  entrants: readonly Entrant[],
  results: Results,
  form: (entrant: Entrant) => Form,
): Row[] {
  const [base] = results;
  const gateway = entrants.findIndex(({ target }) => target.variant !== undefined);
  return entrants.map((entrant, i): Row => {
    const { name, variant } = entrant.target;
    const result = results[i];
    if (!result) return { target: name, value: "failed" };
    const { rate, cpu, resident, otherWork = 0 } = result;
    const { events = 1, wanted } = form(entrant);
    const times = i > 0 && cpu && base?.cpu ? cpu / base.cpu : undefined;
    return {
      target: name,
      value: `${rate.toFixed(0)}/s`,
      cpu: cpu === undefined ? undefined : `${(cpu / events).toFixed(1)} µs${events > 1 ? " an event" : ""}`,
      relative: times === undefined ? undefined : `${times.toFixed(2)} × ${entrants[0]?.target.name}`,
      wanted: wantedOf(entrant.target, wanted),
      also: [
        ...shareOf(i, variant && i > gateway ? gateway : 0, entrants, results),
        ...(resident ? [`${resident.toFixed(0)} MB resident`] : []),
        ...(otherWork > DISTURBED ? [`other work: ${(otherWork * 100).toFixed(0)} % of its core`] : []),
      ].join(", "),
    };
  });
}
