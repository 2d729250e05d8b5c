import type { RefusalCode } from "../http/codes.ts";
import { Refusal, type RefusalOptions } from "../http/refusal.ts";
import { type Candidate, type Open, type Skipped, type SkipReason, toSkipped } from "./candidate.ts";
import type { Choice } from "./select.ts";

/** Thrown if one entry cannot serve the request; another may. */
export class EntryRejected extends Refusal {
  readonly why: SkipReason;
  constructor(why: SkipReason, code: RefusalCode, errors: string | string[], options: RefusalOptions = {}) {
    super(code, errors, options);
    this.why = why;
  }
}

/** Requests ready to be sent, one for each entry, planned when they are needed. */
export interface Queue<Plan, Of = Candidate> {
  /** The first plan. Throws the first refusal if every entry refuses. */
  first(): Plan;
  next(): Plan | undefined;
  /** The entries that may be called, beginning with the first plan's. */
  within(): readonly Of[];
  /** The choice so far: entries for which the request was refused are listed as skipped. */
  choice(): Choice<Of>;
}

/**
 * Plans the request for one candidate after the other, and skips those that refuse it. Counted from the first that
 * accepts it, at most `most` candidates are considered, because credit is held only for those.
 */
export function queueOf<Plan, Of extends Open>(
  route: Choice<Of>,
  plan: (candidate: Of) => Plan,
  most: number,
): Queue<Plan, Of> {
  let at = 0;
  let start: number | undefined;
  const refused = new Map<Of, Skipped>();
  let refusal: Refusal | undefined;
  let first: Plan | undefined;
  const next = (): Plan | undefined => {
    while (at < Math.min(route.candidates.length, (start ?? Number.POSITIVE_INFINITY) + most)) {
      const candidate = route.candidates[at++] as Of;
      try {
        const planned = plan(candidate);
        start ??= at - 1;
        return planned;
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 400) throw error;
        refusal ??= error;
        const why = error instanceof EntryRejected ? error.why : "refused";
        refused.set(candidate, toSkipped(candidate, { why, detail: error.message }));
      }
    }
    return undefined;
  };
  return {
    first() {
      first ??= next();
      if (first === undefined)
        throw refusal ?? new Refusal("model_inactive", "No entry serves this request.");
      return first;
    },
    next,
    within: () => (start === undefined ? [] : route.candidates.slice(start, start + most)),
    choice: () =>
      refused.size === 0
        ? route
        : {
            model: route.model,
            ...(route.alias !== undefined && { alias: route.alias }),
            ...(route.places && { places: route.places }),
            candidates: route.candidates.filter((candidate) => !refused.has(candidate)),
            skipped: [...route.skipped, ...refused.values()],
          },
  };
}
