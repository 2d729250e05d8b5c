import { pausesEntry, verdictOfStatus } from "@manifold-gateway/providers/routing";
import type { JobHealth } from "../jobs/deps.ts";
import type { CircuitBreakers } from "../ports/routing.ts";
import { entryId } from "../routing/candidate.ts";

/** Counts providers' answers to submissions for the health of their entries, like answers to text requests. */
export function observeSubmissions(health: CircuitBreakers): NonNullable<JobHealth["onSubmitted"]> {
  return ({ model, entry, accountId: account }, answer, ms) => {
    // An identity asset has no model.
    if (!entry || model === "") return;
    const id = entryId({ id: model }, entry);
    if (!answer) return health.failed(id, account);
    const trouble = "trouble" in answer ? answer.trouble : undefined;
    if (!trouble) {
      health.answered(id, account, ms);
      return health.completed(id, account, 0, ms);
    }
    const { kind, status, retryAfter } = trouble;
    if (pausesEntry(status) && retryAfter !== undefined) health.cool(id, retryAfter / 1000);
    // A cancellation or a refusal that the caller caused does not count against the entry.
    const isProviderFault = kind === "unavailable" || kind === "misconfigured";
    if (isProviderFault && (status === undefined || verdictOfStatus(status).failing))
      health.failed(id, account);
    else health.inconclusive(id, account);
  };
}
