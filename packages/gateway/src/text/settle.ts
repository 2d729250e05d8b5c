import type { Observation } from "@manifold-gateway/core";
import { billableUsage } from "@manifold-gateway/core/codec";
import { isProviderFault } from "@manifold-gateway/providers/routing";
import { inputEstimate } from "../generation/token-estimate.ts";
import { faultName } from "../http/fault.ts";
import { reportImpossible } from "../observe/observed-call.ts";
import type { Outcome } from "../ports/billing.ts";
import { mostCalls } from "./billable-items.ts";
import { chargeFor } from "./charge.ts";
import { makerOf, noteIds } from "./ids.ts";
import { billableCalls } from "./impossible-usage.ts";
import type { Work } from "./reply.ts";

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
  const { context, ask, plan, trace, credential, generation, most, answeredAt } = work;
  const { services, caller, watch } = context;
  const { id, provider } = plan.resolution;
  const { breakers } = services.routing;
  const tokens = billableUsage(observation, most, () => inputEstimate(ask.body));
  const counted = billableCalls(
    observation.billed?.calls ?? {},
    mostCalls(plan.metered, services.holds.toolCalls),
  );
  const impossible = [...tokens.impossible, ...counted.impossible];
  if (impossible.length > 0)
    reportImpossible(context, plan.resolution, impossible, {
      ...observation.usage,
      ...observation.billed?.calls,
    });
  const used = tokens.usage && impossible.length > 0 ? { ...tokens.usage, estimated: true } : tokens.usage;
  const { usage, price, unpriced } = chargeFor(
    plan,
    used,
    { billed: { ...observation.billed, calls: counted.calls } },
    services.wholeCatalog,
  );
  for (const item of unpriced) watch?.unpriced?.({ provider: provider.id, item });
  const ids = observation.billed?.ids ?? [];
  if (ids.length > 0) noteIds(context, ids, makerOf(provider.id, credential));
  if (error !== undefined) trace.fault = faultName(error);
  const blameless = error !== undefined && (status === "aborted" || !isProviderFault(error));
  if (blameless) breakers.inconclusive(id, caller.accountId);
  else if (status === "failed") breakers.failed(id, caller.accountId);
  else breakers.completed(id, caller.accountId, usage?.output ?? 0, services.steady() - answeredAt);
  return generation.settle(status, usage, price);
}
