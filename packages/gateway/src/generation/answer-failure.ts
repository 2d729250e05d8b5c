import type { Failure, Protocol } from "@manifold-gateway/core";
import { errorSource } from "../http/source.ts";
import type { Answer, Context } from "../ports/context.ts";
import { traceHeaders } from "../routing/request-trace.ts";
import { noteFailure } from "./provider-error.ts";
import type { Answered, Plan } from "./stages.ts";

/**
 * Settles a generation as failed whose provider gave an error after a head that promised success, and answers with it in
 * the caller's protocol.
 */
export async function answerFailure<Of extends Plan>(
  { services, caller, exchange }: Context<"protocols" | "routing">,
  { plan, trace, generation }: Answered<Of>,
  failure: Failure,
  protocol: Protocol,
): Promise<Answer> {
  const { breakers } = services.routing;
  noteFailure(trace, failure, plan.endpoint.provider);
  if (failure.status >= 500) breakers.failed(plan.resolution.id, caller.accountId);
  else breakers.inconclusive(plan.resolution.id, caller.accountId);
  await generation.settle(exchange.sink.closed ? "aborted" : "failed");
  const { status, body } = services.protocols.codecs[protocol].failure.encode(failure);
  return { status, headers: { ...errorSource.provider, ...traceHeaders(trace) }, body };
}
