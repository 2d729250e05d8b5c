import type { OperationRequest, OperationTarget, OperationWires } from "@manifold-gateway/core/operations";
import { operationEndpoint, separateProtocol } from "@manifold-gateway/core/plan";
import type { Provider, UpstreamProtocol } from "@manifold-gateway/providers/provider";
import type { AnsweredCall } from "@manifold-gateway/providers/routing";
import { Calls, type Inspect } from "../calls/call-candidates.ts";
import type { Candidate } from "../models/candidate.ts";
import { candidatesOf } from "../models/candidates.ts";
import type { Entry } from "../models/entries.ts";
import { ClientRefusal } from "../reply/failure.ts";
import type { Report } from "../report.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../services.ts";
import type { PlannedOperation } from "./operation.ts";
import { type OperationCallPlan, OperationPlanner } from "./plan.ts";

/** A request of an operation whose first call was answered. */
export interface CalledOperation<Request, Codec> {
  answered: AnsweredCall<OperationCallPlan<Request, Codec>>;
  /** The calls so far, of which more may follow. */
  calls: Calls<OperationCallPlan<Request, Codec>>;
}

/** Calls the targets of a request until one answers, and reports what its request lost. `codec` is the caller's wire. */
export async function callOperation<
  Request extends OperationRequest,
  Codec extends OperationTarget<Request>["codec"] & WireOf,
>(
  operation: PlannedOperation<Request, Codec>,
  codec: Codec,
  { incoming, services, report }: { incoming: Incoming; services: Services; report: Report },
  inspect?: Inspect<OperationCallPlan<Request, Codec>>,
): Promise<CalledOperation<Request, Codec>> {
  const { body, model } = incoming;
  const candidates = await candidatesOf(incoming, services, (entry, provider) =>
    operationCandidate(entry, provider, operation, codec),
  );
  const calls = new Calls<OperationCallPlan<Request, Codec>>(incoming, services, inspect);
  const source = { codec, model, value: body.value };
  const planner = new OperationPlanner<Request, Codec>(operation, source, services.options);
  const answered = await calls.first(candidates, planner, report);
  report.losses(answered.plan.resolution, "request", answered.plan.losses);
  return { answered, calls };
}

interface WireOf {
  protocol: Candidate["protocol"] | "native";
  endpoint?: unknown;
}

/**
 * An entry in the protocol in which its provider serves the operation: a service of its own, the caller's protocol, or
 * the first.
 */
function operationCandidate<Codec extends WireOf>(
  entry: Entry,
  provider: Provider,
  { noun, wires }: { noun: string; wires: OperationWires<Codec> },
  { protocol: caller }: Codec,
): Candidate {
  const spoken = Object.keys(provider.speaks) as UpstreamProtocol[];
  const able = spoken.filter((one) => wires.protocols[one]?.endpoint !== undefined);
  const protocol = separateProtocol(wires, provider) ?? able.find((one) => one === caller) ?? able[0];
  if (protocol === undefined)
    throw new ClientRefusal(
      404,
      "model_not_found",
      `model: the provider '${provider.id}' serves no ${noun} in the protocols that it is declared with; declare where it does with \`serves: { ${wires.service}: … }\`.`,
      "model",
    );
  // A service of its own may have keys of its own.
  const served = operationEndpoint(wires, provider, protocol).provider;
  return { id: `${provider.id}/${entry.name}`, entry, provider: served, protocol };
}
