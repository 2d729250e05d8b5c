import { parseJson } from "@manifold-gateway/core/codec";
import type { OperationCodec, OperationRequest } from "@manifold-gateway/core/operations";
import type { Serve } from "../parts.ts";
import { answerHeaders, failureResponse, finalHeaders } from "../reply/failure.ts";
import { refusedResponse } from "../reply/refused.ts";
import { callOperation } from "./call.ts";
import type { ClientOperation } from "./operation.ts";

/** The largest answer, in bytes. */
const LARGEST = 256 * 1024 * 1024;

/** Serves an operation: in as many calls of one provider as a request needs. */
export const serveOperation =
  <Request extends OperationRequest, Reply, Codec extends OperationCodec<Request, Reply>>(
    operation: ClientOperation<Request, Reply, Codec>,
  ): Serve =>
  async (incoming, services, report) => {
    const { model, id } = incoming;
    const codec = operation.callerCodec(incoming);
    const called = await callOperation<Request, Codec>(operation, codec, { incoming, services, report });
    const { calls } = called;
    let { answered } = called;
    const { plan } = answered;
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
