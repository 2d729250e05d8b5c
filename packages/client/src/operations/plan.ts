import type { Loss } from "@manifold-gateway/core";
import type {
  OperationPlan,
  OperationRequest,
  OperationSource,
  OperationTarget,
} from "@manifold-gateway/core/operations";
import { applyLossRules, maxInputsOf, operationEndpoint, Rejection } from "@manifold-gateway/core/plan";
import type { Planner } from "@manifold-gateway/providers/routing";
import type { CallPlan } from "../calls/call-candidates.ts";
import type { Candidate } from "../models/candidate.ts";
import type { AnyOptions } from "../options.ts";
import { refusedLosses } from "../text/plan-text.ts";
import type { PlannedOperation } from "./operation.ts";

/** A request ready to be sent to one candidate: its first call, and those after it. */
export interface OperationCallPlan<Request, Codec> extends CallPlan {
  /** The wire on which the candidate is called. */
  upstream: Codec;
  request: Request;
  /** The plan with what else its operation found. */
  planned: OperationPlan<Request>;
  losses: readonly Loss[];
  more: readonly OperationCallPlan<Request, Codec>[];
}

/** Plans one request of an operation for any candidate. */
export class OperationPlanner<
  Request extends OperationRequest,
  Codec extends OperationTarget<Request>["codec"],
> implements Planner<OperationCallPlan<Request, Codec>, Candidate>
{
  readonly #operation: PlannedOperation<Request, Codec>;
  readonly #source: OperationSource<Request> & { codec: Codec };
  readonly #options: AnyOptions;

  constructor(
    operation: PlannedOperation<Request, Codec>,
    source: OperationSource<Request> & { codec: Codec },
    options: AnyOptions,
  ) {
    this.#operation = operation;
    this.#source = source;
    this.#options = options;
  }

  plan(candidate: Candidate): OperationCallPlan<Request, Codec> {
    const { entry, provider, protocol } = candidate;
    const endpoint = operationEndpoint(this.#operation.wires, provider, protocol);
    const upstream = endpoint.upstream as Codec;
    const capabilities = this.#options.check === false ? undefined : entry.capabilities;
    const maxInputs = maxInputsOf(this.#operation.wires, provider);
    const target = { codec: upstream, model: entry.name, capabilities, maxInputs };
    const planned = this.#operation.plan(this.#source, target);
    if (planned instanceof Rejection) throw planned;
    const { model } = this.#source;
    const losses = applyLossRules(planned.lost, { model, rules: refusedLosses(this.#options) });
    if (losses instanceof Rejection) throw losses;
    const { origin, base, provider: served } = endpoint;
    const [first, ...more] = planned.calls.map(
      (call): OperationCallPlan<Request, Codec> => ({
        resolution: candidate,
        place: { origin, path: base + call.path, provider: served },
        ...(this.#operation.send?.(planned, target, call) ?? { body: JSON.stringify(call.value) }),
        stream: false,
        upstream,
        request: planned.request,
        planned,
        losses,
        more: [],
      }),
    ) as [OperationCallPlan<Request, Codec>, ...OperationCallPlan<Request, Codec>[]];
    return { ...first, more };
  }
}
