import { CallerRequest } from "@manifold-gateway/core/plan";
import { betaFlags, type Payload } from "@manifold-gateway/providers";
import { PlanQueue } from "@manifold-gateway/providers/routing";
import type { RequestCaching } from "../answer-cache/request-caching.ts";
import { type EntryHold, openingOf } from "../generation/opening.ts";
import type { PlanService } from "../generation/services.ts";
import type { PlannedCall } from "../generation/stages.ts";
import { refuseAddresses } from "../http/refuse-addresses.ts";
import type { Context } from "../ports/context.ts";
import type { Candidate } from "../routing/candidate.ts";
import { isEntryRefusal } from "../routing/queue.ts";
import { endStage, type RequestTrace, startTrace } from "../routing/request-trace.ts";
import { findRoute, type RoutePlan } from "../routing/route.ts";
import { type Metered, nothingMetered } from "./billable-items.ts";
import { readFallbacks } from "./fallback.ts";
import { type HoldBasis, heldPrice, heldUsage, holdBasis } from "./hold.ts";
import { type IdOwners, idOwnersOf } from "./ids.ts";
import { refuseAmbiguous } from "./members.ts";
import { inspectAsk, type Plan, routerMembers, type TextAsk, TextPlanner } from "./plan.ts";

/** A checked request for a text generation. */
export interface ReceivedText {
  readonly ask: TextAsk;
  readonly trace: RequestTrace;
  /** The items of the request that are billed in addition to tokens. */
  readonly metered: Metered;
  /** The owners of the ids that the request names. */
  readonly idOwners: IdOwners | undefined;
  /** Where its answer is kept, if it is. */
  readonly caching?: RequestCaching;
}

/** A request for a text generation, with the plan for its first entry. */
export interface PlannedText extends ReceivedText, PlannedCall<Plan> {
  readonly planner: TextPlanner;
  readonly basis: HoldBasis;
}

/** Begins the trace of a request, and reads what is billed in it and whose ids it names. */
export function receiveText(
  context: Context<"catalog" | "steady" | "store">,
  request: TextAsk,
): ReceivedText | Promise<ReceivedText> {
  context.progress.body = request.body;
  const trace = startTrace(context, request.model);
  const betas = betaFlags(context.exchange);
  const fallbacks =
    request.fallbacks ??
    (request.body.value.models === undefined ? undefined : readFallbacks(context, request));
  trace.hasFallbacks = fallbacks !== undefined;
  const ask = betas.length > 0 || fallbacks ? { ...request, betas, fallbacks } : request;
  const metered = inspectAsk(ask);
  // Most requests name no ids.
  if (metered.ids.length === 0) return { ask, trace, metered, idOwners: undefined };
  return idOwnersOf(context, metered).then((idOwners) => ({ ask, trace, metered, idOwners }));
}

/** Finds the route of a text generation, plans it for the first entry that takes it, and computes the hold. */
export function planText(context: Context<PlanService>, received: ReceivedText): PlannedText {
  const { services, caller } = context;
  const { ask, trace, metered, idOwners } = received;
  refuseAmbiguous(ask.body, ask.codec.billing);
  const { catalog, providers, routing } = services;
  const request = new CallerRequest<Payload>(ask, routerMembers);
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
    features: request,
    makers: idOwners?.makers,
  });
  const options = {
    catalog,
    policy: trace.policy,
    preferences: route.preferences,
    providers,
    metered,
    idOwners,
    outputTokens: services.admission === "strict" ? services.holds.outputTokens : undefined,
  };
  const planner = new TextPlanner(ask, options, request);
  const queue = new PlanQueue<Plan, Candidate, RoutePlan>(route, planner, {
    most: routing.maxAttempts,
    isRejection: isEntryRefusal,
  });
  trace.queue = queue;
  refuseAddresses(services, ask);
  trace.plan = queue.first();
  endStage(trace, "plan");
  const basis = holdBasis({ facts: ask.codec.billing, body: ask.body, metered }, services);
  const holds: EntryHold[] = [];
  for (const candidate of queue.within()) {
    const price = metered === nothingMetered ? candidate.terms.price : heldPrice(metered, candidate);
    holds.push({ usage: heldUsage(basis, candidate, services), price });
  }
  const opening = openingOf(context, ask.body, route.model.id, holds);
  return { ...received, route, planner, queue, basis, opening };
}
