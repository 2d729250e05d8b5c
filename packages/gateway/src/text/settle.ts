import type { Observation } from "@manifold-gateway/core";
import type { BillableUsage, Billed } from "@manifold-gateway/core/codec";
import { isProviderFault } from "@manifold-gateway/providers/routing";
import { noteFailure } from "../generation/provider-error.ts";
import { reportImpossible } from "../observe/observed-call.ts";
import type { Outcome } from "../ports/billing.ts";
import { mostCalls } from "./billable-items.ts";
import { chargeFor } from "./charge.ts";
import { makerOf, noteIds } from "./ids.ts";
import { billableCalls, usageOf } from "./impossible-usage.ts";
import type { Work } from "./reply.ts";

/** The usage of a reply so far by which it is charged; undefined if it never began. */
export const usedBy = ({ context, size, plan }: Work, observation: Observation): BillableUsage =>
  usageOf(observation, size, plan.resolution.entry, context.services.holds);

/** The usage that a reply is charged for. Impossible figures of the provider are replaced by estimates and reported. */
function figuresOf(work: Work, observation: Observation): { used: Outcome["usage"]; billed: Billed } {
  const { context, plan } = work;
  const { usage, impossible } = usedBy(work, observation);
  const { billed = {} } = observation;
  const counted =
    billed.calls && billableCalls(billed.calls, mostCalls(plan.metered, context.services.holds.toolCalls));
  const wrong = counted ? [...impossible, ...counted.impossible] : impossible;
  if (wrong.length === 0) return { used: usage, billed };
  reportImpossible(context, plan.resolution, wrong, { ...observation.usage, ...billed.calls });
  return {
    used: usage && { ...usage, estimated: true },
    billed: counted ? { ...billed, calls: counted.calls } : billed,
  };
}

/**
 * Settles an entry's reply: charges what it used, and records the entry's success or failure. A failure without an
 * `error` is one that the reply itself reports. Failures that are not the provider's do not count.
 */
export function settleText(
  work: Work,
  status: Outcome["status"],
  observation: Observation = { content: 0 },
  error?: unknown,
): Promise<void> {
  const { context, plan, trace, credential, generation, answeredAt } = work;
  const { services, caller, watch } = context;
  const { id, provider } = plan.resolution;
  const { breakers } = services.routing;
  const { used: reported, billed } = figuresOf(work, observation);
  // A failed reply without content delivered nothing, even if it reported input tokens first.
  const used = status === "failed" && observation.content === 0 ? undefined : reported;
  const { usage, price, unpriced } = chargeFor(plan, used, billed, services.wholeCatalog);
  for (const item of unpriced) watch?.unpriced?.({ provider: provider.id, item });
  if (billed.ids && billed.ids.length > 0) noteIds(context, billed.ids, makerOf(provider.id, credential));
  if (error !== undefined) generation.noteFault(error);
  else if (status === "failed" && observation.failure)
    noteFailure(trace, observation.failure, plan.endpoint.provider);
  const blameless = error !== undefined && (status === "aborted" || !isProviderFault(error));
  if (blameless) breakers.inconclusive(id, caller.accountId);
  else if (status === "failed") breakers.failed(id, caller.accountId);
  else breakers.completed(id, caller.accountId, usage?.output ?? 0, services.steady() - answeredAt);
  return generation.settle(status, usage, price);
}
