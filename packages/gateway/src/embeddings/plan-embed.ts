import { embedCodecs, embedEndpoint, separateEmbedProtocol } from "@manifold-gateway/core/operations";
import { PlanQueue } from "@manifold-gateway/providers/routing";
import { openingOf } from "../generation/opening.ts";
import { refuseUnpayable } from "../generation/require-credit.ts";
import type { PlanService } from "../generation/services.ts";
import type { PlannedCall } from "../generation/stages.ts";
import { inputBound } from "../generation/token-estimate.ts";
import { refuseAddresses } from "../http/refuse-addresses.ts";
import type { Context } from "../ports/context.ts";
import { isEntryRefusal } from "../routing/queue.ts";
import { endStage, type RequestTrace, startTrace } from "../routing/request-trace.ts";
import { findRoute, type RoutedOperation } from "../routing/route.ts";
import { type Gathered, gatherEmbed } from "./fetch-parts.ts";
import { type EmbedAsk, type EmbedPlan, EmbedPlanner } from "./plan.ts";

/** An embedding request whose media have been fetched and measured. */
export interface ReceivedEmbed {
  readonly ask: EmbedAsk & { gathered: Gathered };
  readonly trace: RequestTrace;
}

/** An embedding request, with the plan for its first entry. */
export interface PlannedEmbed extends ReceivedEmbed, PlannedCall<EmbedPlan> {}

/** Fetches the media of a request and begins its trace. */
export async function receiveEmbed(
  context: Context<"billing" | "catalog" | "media" | "providers" | "steady">,
  request: EmbedAsk,
): Promise<ReceivedEmbed> {
  const ask = { ...request, gathered: await gatherEmbed(context, request) };
  return { ask, trace: startTrace(context, ask.model) };
}

const embedding: RoutedOperation = {
  makes: "embedding",
  can: (protocol) => embedCodecs[protocol]?.endpoint !== undefined,
  separateProtocol: separateEmbedProtocol,
  credentials: ({ provider, protocol }) => embedEndpoint(provider, protocol).provider.credentials,
};

/** Finds the route of a request, plans it for the first entry that takes it, and computes the hold. */
export async function planEmbed(
  context: Context<PlanService>,
  received: ReceivedEmbed,
): Promise<PlannedEmbed> {
  const { services, caller } = context;
  const { ask, trace } = received;
  await refuseUnpayable(context, ask);
  const { catalog, providers, admission, holds, routing } = services;
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
    operation: embedding,
    // Embeddings are not conversations: no later request profits from the same credential.
    identity: context.id,
  });
  const { preferences } = route;
  const planner = new EmbedPlanner(ask, {
    preferences,
    policy: trace.policy,
    catalog,
    providers,
  });
  const queue = new PlanQueue(route, planner, { most: routing.maxAttempts, isRejection: isEntryRefusal });
  trace.queue = queue;
  refuseAddresses(services, ask);
  const first = queue.first();
  trace.plan = first;
  endStage(trace, "plan");
  const { videoInput: _, estimated: _e, ...estimate } = first.estimate;
  const input = Math.max(inputBound(ask.body, admission === "strict", holds), estimate.input);
  const usage = { ...estimate, input, output: 0 };
  const most = queue.within().map(({ terms }) => ({ usage, price: terms.price }));
  return { ...received, route, queue, opening: openingOf(context, ask.body, route.model.id, most) };
}
