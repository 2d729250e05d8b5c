import type { PlanQueue } from "@manifold-gateway/providers/routing";
import type { RefusalCode } from "../http/codes.ts";
import { Refusal, type RefusalOptions } from "../http/refusal.ts";
import { type Candidate, type Open, type SkipReason, toSkipped } from "./candidate.ts";
import type { Choice, Selection } from "./select.ts";

/** Thrown if one entry cannot serve the request; another may. */
export class EntryRejected extends Refusal {
  readonly why: SkipReason;
  constructor(why: SkipReason, code: RefusalCode, errors: string | string[], options: RefusalOptions = {}) {
    super(code, errors, options);
    this.why = why;
  }
}

/** Checks whether an error refuses the request for one entry only. */
export const isEntryRefusal = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.status === 400;

/** The plans of one request for the entries of its route. */
export type EntryQueue<Plan, Of extends Open = Candidate> = PlanQueue<Plan, Of, Selection<Of>>;

/** The choice so far: candidates that refused the request are listed as skipped. */
export function choiceOf<Of extends Open>({
  selection,
  rejections,
}: Pick<EntryQueue<unknown, Of>, "selection" | "rejections">): Choice<Of> {
  if (rejections.size === 0) return selection;
  const { model, alias, candidates, skipped } = selection;
  const refused = [...rejections].map(([candidate, error]) =>
    toSkipped(candidate, {
      why: error instanceof EntryRejected ? error.why : "refused",
      detail: error.message,
    }),
  );
  return {
    model,
    ...(alias !== undefined && { alias }),
    candidates: candidates.filter((candidate) => !rejections.has(candidate)),
    skipped: [...skipped, ...refused],
  };
}
