import type { RefusalCode } from "../http/codes.ts";
import { Refusal, type RefusalOptions } from "../http/refusal.ts";
import { type Candidate, type Open, type Skipped, type SkipReason, toSkipped } from "./candidate.ts";
import type { Choice, Selection } from "./select.ts";

/** Thrown if one entry cannot serve the request; another may. */
export class EntryRejected extends Refusal {
  readonly why: SkipReason;
  constructor(why: SkipReason, code: RefusalCode, errors: string | string[], options: RefusalOptions = {}) {
    super(code, errors, options);
    this.why = why;
  }
}

/** Plans one request for any candidate. */
export interface Planner<Plan, Of> {
  /** The request as the candidate is sent it. Throws a refusal if the candidate cannot serve it. */
  plan(candidate: Of): Plan;
}

/**
 * The plans of one request, each made when it is needed. Candidates that refuse the request are skipped. Counted from
 * the first that accepts it, at most `most` candidates are considered, because credit is held only for those.
 */
export class PlanQueue<Plan, Of extends Open = Candidate> {
  readonly #route: Selection<Of>;
  readonly #planner: Planner<Plan, Of>;
  readonly #most: number;
  /** The index of the next candidate. */
  #next = 0;
  /** The index of the first candidate that accepted the request. */
  #start: number | undefined = undefined;
  #first: Plan | undefined = undefined;
  #refusal: Refusal | undefined = undefined;
  readonly #refused = new Map<Of, Skipped>();

  constructor(route: Selection<Of>, planner: Planner<Plan, Of>, most: number) {
    this.#route = route;
    this.#planner = planner;
    this.#most = most;
  }

  /** The first plan. Throws the first refusal if every candidate refuses. */
  first(): Plan {
    this.#first ??= this.next();
    if (this.#first === undefined)
      throw this.#refusal ?? new Refusal("model_inactive", "No entry serves this request.");
    return this.#first;
  }

  /** The plan for the next candidate that accepts the request; undefined if there is none. */
  next(): Plan | undefined {
    const { candidates } = this.#route;
    while (this.#next < Math.min(candidates.length, (this.#start ?? Number.POSITIVE_INFINITY) + this.#most)) {
      const candidate = candidates[this.#next++] as Of;
      try {
        const plan = this.#planner.plan(candidate);
        this.#start ??= this.#next - 1;
        return plan;
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 400) throw error;
        this.#refusal ??= error;
        const why = error instanceof EntryRejected ? error.why : "refused";
        this.#refused.set(candidate, toSkipped(candidate, { why, detail: error.message }));
      }
    }
    return undefined;
  }

  /** The candidates that may be called, beginning with the first plan's. */
  within(): readonly Of[] {
    const start = this.#start;
    return start === undefined ? [] : this.#route.candidates.slice(start, start + this.#most);
  }

  /** The choice before any plan. */
  get selection(): Selection<Of> {
    return this.#route;
  }

  /** The choice so far: candidates that refused the request are listed as skipped. */
  choice(): Choice<Of> {
    const route = this.#route;
    if (this.#refused.size === 0) return route;
    return {
      model: route.model,
      ...(route.alias !== undefined && { alias: route.alias }),
      candidates: route.candidates.filter((candidate) => !this.#refused.has(candidate)),
      skipped: [...route.skipped, ...this.#refused.values()],
    };
  }
}
