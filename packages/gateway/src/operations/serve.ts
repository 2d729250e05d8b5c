import type { OperationCodec, OperationRequest } from "@manifold-gateway/core/operations";
import { explainPlanned, explainRefusal } from "../generation/explain.ts";
import { openGeneration } from "../generation/generation.ts";
import { callProviders } from "../generation/provider-calls.ts";
import type { OperationService, PlanService } from "../generation/services.ts";
import { inputEstimate } from "../generation/token-estimate.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { ServiceName } from "../ports/services.ts";
import { startTrace, withTraceHeaders } from "../routing/request-trace.ts";
import type { Operation, OperationAsk, PlannedOperation, ReceivedOperation } from "./operation.ts";
import { planOperation } from "./plan.ts";

/** Serves a request of an operation, or explains it if only that is requested. */
export async function serveOperation<
  Request extends OperationRequest,
  Codec extends OperationCodec<Request, unknown>,
  Ask extends OperationAsk<Codec>,
  Uses extends ServiceName,
>(
  context: Context<OperationService | Uses>,
  operation: Operation<Request, Codec, Ask, Uses>,
  request: Ask,
): Promise<Answer | undefined> {
  const ask = (await operation.gather?.(context, request)) ?? request;
  const received = { ask, trace: startTrace(context, ask.model) };
  return context.options.explain
    ? explain(context, operation as unknown as Operation, received)
    : serve(context, operation as unknown as Operation, received);
}

/** The stages of a generation. It is settled exactly once, whatever happens after its credit is held. */
async function serve(
  context: Context<OperationService>,
  operation: Operation,
  received: ReceivedOperation,
): Promise<Answer | undefined> {
  const release = operation.streams?.(received.ask)
    ? context.services.streams.take(context.caller)
    : undefined;
  try {
    const planned = await planOperation(context, operation, received);
    const held = await openGeneration(context, planned);
    try {
      const answered = await callProviders(context, held);
      return await operation.reply(context, answered);
    } catch (error) {
      await held.generation.abandon();
      throw error;
    } finally {
      held.calls.close();
    }
  } catch (error) {
    throw withTraceHeaders(error, received.trace);
  } finally {
    release?.();
  }
}

async function explain(
  context: Context<PlanService>,
  operation: Operation,
  received: ReceivedOperation,
): Promise<Answer> {
  let planned: PlannedOperation;
  try {
    planned = await planOperation(context, operation, received);
  } catch (error) {
    return explainRefusal(context, error, received.trace);
  }
  const { endpoint, shown, request } = planned.queue.first();
  const pending = operation.pending?.(received.ask, request) ?? [];
  return explainPlanned(context, planned, {
    upstream: {
      method: "POST",
      path: endpoint.path,
      body: shown,
      ...(pending.length > 0 && { pending }),
    },
    least: { input: inputEstimate(received.ask.body), output: 0 },
  });
}
