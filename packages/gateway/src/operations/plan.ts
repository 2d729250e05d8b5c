import { maxInputsOf, operationEndpoint, separateProtocol } from "@manifold-gateway/core/operations";
import { type Planner, PlanQueue } from "@manifold-gateway/providers/routing";
import { openingOf } from "../generation/opening.ts";
import { refuseUnpayable } from "../generation/require-credit.ts";
import type { PlanService } from "../generation/services.ts";
import { inputBound } from "../generation/token-estimate.ts";
import { refuseAddresses } from "../http/refuse-addresses.ts";
import type { Context } from "../ports/context.ts";
import { accepted } from "../routing/accepted.ts";
import type { Candidate } from "../routing/candidate.ts";
import { modelsThatMake, toHint } from "../routing/check-capabilities.ts";
import { demandLosses } from "../routing/demand-losses.ts";
import { outputs } from "../routing/operation.ts";
import { forwarded, type Preferences } from "../routing/preferences.ts";
import { isEntryRefusal } from "../routing/queue.ts";
import { endStage } from "../routing/request-trace.ts";
import { findRoute, type RoutedOperation } from "../routing/route.ts";
import type {
  Operation,
  OperationAsk,
  OperationCall,
  OperationPlan,
  PlannedOperation,
  ReceivedOperation,
} from "./operation.ts";

/** Finds the route of a request, plans it for the first entry that takes it, and computes the hold. */
export async function planOperation(
  context: Context<PlanService>,
  operation: Operation,
  received: ReceivedOperation,
): Promise<PlannedOperation> {
  const { services, caller } = context;
  const { ask, trace } = received;
  await refuseUnpayable(context, ask);
  const { admission, holds, routing } = services;
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
    operation: routed(operation),
    // These are not conversations: no later request profits from the same credential.
    identity: context.id,
  });
  const planner = new OperationPlanner(context, operation, ask, route.preferences);
  const queue = new PlanQueue(route, planner, { most: routing.maxAttempts, isRejection: isEntryRefusal });
  trace.queue = queue;
  refuseAddresses(services, ask);
  const first = queue.first();
  trace.plan = first;
  endStage(trace, "plan");
  const { estimated: _, ...estimate } = first.estimate;
  const isStrict = admission === "strict";
  const bound = { ...estimate, ...(isStrict && operation.most?.(first.request)) };
  const input = Math.max(inputBound(ask.body, isStrict, holds), bound.input);
  const most = queue.within().map(({ terms: { price } }) => ({ usage: { ...bound, input }, price }));
  const opening = openingOf(context, ask.body, route.model.id, most, operation.modality);
  return { ...received, route, queue, opening };
}

/** The routing of an operation: its protocols, services and their credentials. */
function routed({ wires, makes, can }: Operation): RoutedOperation {
  return {
    makes,
    can(protocol, { provider, model }) {
      const { upstream } = operationEndpoint(wires, provider, protocol);
      return upstream?.endpoint !== undefined && (can?.(upstream, model) ?? true);
    },
    separateProtocol: (provider) => separateProtocol(wires, provider),
    credentials: ({ provider, protocol }) =>
      operationEndpoint(wires, provider, protocol).provider.credentials,
  };
}

/** Plans one request for any entry. */
class OperationPlanner implements Planner<OperationPlan, Candidate> {
  readonly #context: Context<"catalog" | "providers">;
  readonly #operation: Operation;
  readonly #ask: OperationAsk;
  readonly #preferences: Preferences;

  constructor(
    context: Context<"catalog" | "providers">,
    operation: Operation,
    ask: OperationAsk,
    preferences: Preferences,
  ) {
    this.#context = context;
    this.#operation = operation;
    this.#ask = ask;
    this.#preferences = preferences;
  }

  /** Plans the request for one entry. Throws a 400 with every rule that the request breaks. */
  plan(resolution: Candidate): OperationPlan {
    const { services, options } = this.#context;
    const operation = this.#operation;
    const { codec, body, model } = this.#ask;
    const { entry, protocol, provider } = resolution;
    const { base, upstream, ...endpoint } = operationEndpoint(operation.wires, provider, protocol);
    const wire = upstream as NonNullable<typeof upstream>;
    const translated = wire !== codec;
    // Routing options are meant for a router: this service, or a provider that is one too.
    const forwards = provider.routes === true && !translated;
    const { provider: routing, ...rest } = body.value;
    const meant = forwards ? forwarded(routing, services.providers) : undefined;
    const value = { ...rest, ...(meant && { provider: meant }) };
    const { capabilities } = entry;
    const maxInputs = maxInputsOf(operation.wires, provider);
    const target = { candidate: resolution, codec: wire, model: entry.name, capabilities, maxInputs };
    const planned = accepted(
      operation.plan(this.#ask, { codec, model, value }, target, {
        others: () => modelsThatMake(outputs[operation.makes].modality, services.catalog),
      }),
    );
    const [first, ...more] = planned.calls.map((call): OperationCall => {
      const special = operation.send?.(this.#ask, planned, target, call);
      return {
        body: special?.body ?? JSON.stringify(call.value),
        shown: special?.shown ?? call.value,
        endpoint: {
          ...endpoint,
          path: base + call.path,
          operation: operation.observed,
          stream: false,
          headers: special?.headers,
          firstByte: operation.firstByte,
        },
      };
    }) as [OperationCall, ...OperationCall[]];
    return {
      resolution,
      upstream: wire,
      request: planned.request,
      planned,
      translated,
      losses: demandLosses(planned.lost, {
        model,
        strictParams: capabilities?.strictParams,
        preferences: this.#preferences,
        forwardsPreferences: forwards,
        policy: options.losses,
      }),
      hints: planned.notes.map(toHint),
      estimate: operation.estimate(planned, target),
      more,
      ...first,
    };
  }
}
