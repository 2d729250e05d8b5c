import type { PlanService } from "../generation/services.ts";
import { refuseAddresses } from "../http/refuse-addresses.ts";
import type { Context } from "../ports/context.ts";
import type { Candidate } from "../routing/candidate.ts";
import { findRoute, type RoutePlan } from "../routing/route.ts";
import { nothingMetered } from "./billable-items.ts";
import { heldUsage, holdBasis } from "./hold.ts";
import type { TextAsk } from "./plan.ts";

/**
 * Finds the entries for a request that generates nothing and costs nothing. Refuses a caller who could not pay for the
 * generation.
 */
export async function findPayableRoute(
  { services, caller }: Context<PlanService>,
  ask: Pick<TextAsk, "codec" | "body" | "model">,
): Promise<RoutePlan> {
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
  });
  refuseAddresses(services, ask);
  const first = route.candidates[0] as Candidate;
  const basis = holdBasis({ facts: ask.codec.billing, body: ask.body, metered: nothingMetered }, services);
  const headroom = await services.billing.headroom?.({
    caller,
    modality: "text",
    model: ask.model,
    request: "",
    price: first.terms.price,
    usage: heldUsage(basis, first, services),
  });
  if (headroom?.refusal) throw headroom.refusal;
  return route;
}
