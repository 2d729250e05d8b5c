import { parseJson } from "@manifold-gateway/core/codec";
import type { OperationCodec, OperationRequest, OperationWires } from "@manifold-gateway/core/operations";
import { operationEndpoint, separateProtocol } from "@manifold-gateway/core/plan";
import type { Provider, UpstreamProtocol } from "@manifold-gateway/providers/provider";
import { Calls } from "../calls/call-candidates.ts";
import type { Candidate } from "../models/candidate.ts";
import { candidatesOf } from "../models/candidates.ts";
import type { Entry } from "../models/entries.ts";
import type { Serve } from "../parts.ts";
import { answerHeaders, ClientRefusal, failureResponse, finalHeaders } from "../reply/failure.ts";
import { refusedResponse } from "../reply/refused.ts";
import type { ClientOperation } from "./operation.ts";
import { type OperationCallPlan, OperationPlanner } from "./plan.ts";

/** The largest answer, in bytes. */
const LARGEST = 256 * 1024 * 1024;

/** Serves an operation: in as many calls of one provider as a request needs. */
export const serveOperation =
  <Request extends OperationRequest, Reply, Codec extends OperationCodec<Request, Reply>>(
    operation: ClientOperation<Request, Reply, Codec>,
  ): Serve =>
  async (incoming, services, report) => {
    const { body, model, id } = incoming;
    const codec = operation.callerCodec(incoming);
    const candidates = await candidatesOf(incoming, services, (entry, provider) =>
      operationCandidate(entry, provider, operation, codec),
    );
    const calls = new Calls<OperationCallPlan<Request, Codec>>(incoming, services);
    const source = { codec, model, value: body.value };
    const planner = new OperationPlanner<Request, Codec>(operation, source, services.options);
    let answered = await calls.first(candidates, planner, report);
    const { plan } = answered;
    report.losses(plan.resolution, "request", plan.losses);
    const replies: Reply[] = [];
    const joined = (): Reply => operation.join?.(replies) ?? (replies[0] as Reply);
    try {
      for (const more of [...plan.more, undefined]) {
        if (answered.response.status >= 400)
          return await refusedResponse(incoming, plan.resolution, answered.response, services);
        const bytes = await answered.response.body.bytes(LARGEST);
        replies.push(plan.upstream.reply.decode(parseJson(new TextDecoder().decode(bytes)) ?? null));
        if (more) answered = await calls.again(answered, more, report);
      }
    } finally {
      // Calls that were answered are charged by the provider even if a later one fails.
      const price = report.priceOf(plan.resolution);
      const usage = replies.length > 0 && operation.usage(joined(), plan.request, price);
      if (usage) report.usage(plan.resolution, usage);
    }
    const reply = joined();
    const missing = operation.shortfall(plan.request, reply);
    if (missing !== undefined) {
      const failure = {
        kind: "unavailable",
        status: 502,
        message: missing,
        code: "provider_failed",
      } as const;
      return failureResponse(incoming.codec, failure, id, finalHeaders);
    }
    const answer = codec.reply.encode(reply, { ...plan.request, model });
    // Not every vendor's answers have an id, but some SDKs of the wire demand one.
    const identified = codec.protocol === "chatstyle" ? { id, ...(answer as object) } : answer;
    return new Response(JSON.stringify(identified), { headers: answerHeaders(id, "application/json") });
  };

/**
 * An entry in the protocol in which its provider serves the operation: a service of its own, the caller's protocol, or
 * the first.
 */
function operationCandidate<Codec extends { protocol: Candidate["protocol"] | "native"; endpoint?: unknown }>(
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
