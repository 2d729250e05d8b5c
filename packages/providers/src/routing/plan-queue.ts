import { Rejection } from "@manifold-gateway/core/plan";

/** Plans one request for any candidate. */
export interface Planner<Plan, Of> {
  /** The request as the candidate is sent it. Throws a rejection if the candidate cannot serve it. */
  plan(candidate: Of): Plan;
}

/** The candidates for a request, in the order in which they are called, and what else a program knows of the choice. */
export interface Candidates<Of> {
  readonly candidates: readonly Of[];
}

/** The settings of a queue of plans. */
export interface PlanQueueOptions {
  /** The most candidates that are considered, counted from the first that accepts the request. */
  most: number;
  /** Checks whether a thrown error rejects the request for one candidate. Default: those of the library's planner. */
  isRejection?(error: unknown): error is Error;
}

const none: ReadonlyMap<never, never> = new Map<never, never>();

const isOfLibrary = (error: unknown): error is Error => error instanceof Rejection;

/**
 * The plans of one request, each made when it is needed. Candidates that reject the request are skipped. Counted from
 * the first that accepts it, at most `most` candidates are considered.
 */
export class PlanQueue<Plan, Of = unknown, Selection extends Candidates<Of> = Candidates<Of>> {
  /** The choice before any plan. */
  readonly selection: Selection;
  readonly #planner: Planner<Plan, Of>;
  readonly #most: number;
  readonly #isRejection: (error: unknown) => error is Error;
  /** The index of the next candidate. */
  #next = 0;
  /** The index of the first candidate that accepted the request. */
  #start: number | undefined = undefined;
  #first: Plan | undefined = undefined;
  #rejections: Map<Of, Error> | undefined = undefined;

  constructor(
    selection: Selection & Candidates<Of>,
    planner: Planner<Plan, Of>,
    { most, isRejection = isOfLibrary }: PlanQueueOptions,
  ) {
    this.selection = selection;
    this.#planner = planner;
    this.#most = most;
    this.#isRejection = isRejection;
  }

  /** The candidates that have rejected the request so far, in order, with what they threw. */
  get rejections(): ReadonlyMap<Of, Error> {
    return this.#rejections ?? none;
  }

  /** The first plan. Throws the first rejection if every candidate rejects. */
  first(): Plan {
    this.#first ??= this.next();
    if (this.#first !== undefined) return this.#first;
    const [rejection] = this.rejections.values();
    throw rejection ?? new Error("no candidate serves this request");
  }

  /** The plan for the next candidate that accepts the request; undefined if there is none. */
  next(): Plan | undefined {
    const { candidates } = this.selection;
    while (this.#next < Math.min(candidates.length, (this.#start ?? Number.POSITIVE_INFINITY) + this.#most)) {
      const candidate = candidates[this.#next++] as Of;
      try {
        const plan = this.#planner.plan(candidate);
        this.#start ??= this.#next - 1;
        return plan;
      } catch (error) {
        if (!this.#isRejection(error)) throw error;
        this.#rejections ??= new Map();
        this.#rejections.set(candidate, error);
      }
    }
    return undefined;
  }

  /** The candidates that may be called, beginning with the first plan's. */
  within(): readonly Of[] {
    const start = this.#start;
    return start === undefined ? [] : this.selection.candidates.slice(start, start + this.#most);
  }
}
