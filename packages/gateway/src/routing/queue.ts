import type { RefusalCode } from "../http/codes.ts";
import { Refusal, type RefusalOptions } from "../http/refusal.ts";
import type { Candidate, SkipReason } from "./candidate.ts";
import { toSkipped } from "./candidate.ts";
import type { Route } from "./route.ts";

/** This entry cannot be asked, and why; another may. */
export class Unsuited extends Refusal {
  readonly why: SkipReason;
  constructor(why: SkipReason, code: RefusalCode, errors: string | string[], options: RefusalOptions = {}) {
    super(code, errors, options);
    this.why = why;
  }
}

/** Requests ready to be sent, one for each entry, made when they are needed. */
export interface Queue<Plan> {
  first: Plan;
  next(): Plan | undefined;
}

/**
 * Plans the request for one candidate after the other. Those that it is refused for go to the skipped ones; where
 * all refuse, the first refusal is thrown.
 */
export function queueOf<Plan>(route: Route, plan: (candidate: Candidate) => Plan): Queue<Plan> {
  let at = 0;
  let refused: Refusal | undefined;
  const next = (): Plan | undefined => {
    for (let candidate = route.candidates[at]; candidate; candidate = route.candidates[at]) {
      try {
        const made = plan(candidate);
        at += 1;
        return made;
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 400) throw error;
        refused ??= error;
        route.candidates.splice(at, 1);
        route.skipped.push(
          toSkipped(candidate, error instanceof Unsuited ? error.why : "refused", error.message),
        );
      }
    }
    return undefined;
  };
  const first = next();
  if (first === undefined) throw refused ?? new Refusal("model_inactive", "No entry serves this request.");
  return { first, next };
}
