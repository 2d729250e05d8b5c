import type { RefusalCode } from "../http/codes.ts";
import { Refusal, type RefusalOptions } from "../http/refusal.ts";
import { type Candidate, type Open, type Skipped, type SkipReason, toSkipped } from "./candidate.ts";
import type { Choice } from "./select.ts";

/** The entry cannot be called, for a reason; another may. */
export class EntryRejected extends Refusal {
  readonly why: SkipReason;
  constructor(why: SkipReason, code: RefusalCode, errors: string | string[], options: RefusalOptions = {}) {
    super(code, errors, options);
    this.why = why;
  }
}

/** Requests ready to be sent, one for each entry, made when they are needed. */
export interface Queue<Plan, Of = Candidate> {
  /** Throws the first refusal where every entry refuses. */
  first(): Plan;
  next(): Plan | undefined;
  /** The entries that may come to be called, the first plan's before all. */
  within(): readonly Of[];
  /** Those that the request was refused for are among the skipped from then on. */
  choice(): Choice<Of>;
}

/**
 * Plans the request for one candidate after the other, and leaves out those that it is refused for. From the first
 * that takes it on, `most` candidates are looked at and no others: credit is held for those alone.
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
