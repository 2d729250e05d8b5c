import type { Failure } from "@manifold-gateway/core";
import { operationEndpoint } from "@manifold-gateway/core/plan";
import {
  chatstyleSpeak,
  planSpeak,
  type SpeakCodec,
  type SpeakPlan,
  SpeakReply,
  type SpeakRequest,
  speakOperation,
} from "@manifold-gateway/core/speech";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { callOperation } from "../operations/call.ts";
import type { PlannedOperation } from "../operations/operation.ts";
import type { OperationCallPlan } from "../operations/plan.ts";
import type { Serve } from "../parts.ts";
import { answerHeaders } from "../reply/failure.ts";
import { openAddress } from "../reply/open-address.ts";
import { failedResponse, refusedResponse } from "../reply/refused.ts";
import { SpeechStream } from "./stream.ts";
import { spokenUsage } from "./usage.ts";

const speech: PlannedOperation<SpeakRequest, SpeakCodec> = {
  noun: "speech",
  wires: speakOperation,
  plan: planSpeak,
  send: ({ request }, { codec, model }, { value }) => ({
    body: JSON.stringify(value),
    headers: {
      accept: "audio/*, text/event-stream, application/json",
      ...codec.headers?.({ ...request, model }, crypto.randomUUID()),
    },
  }),
};

/** An answer that has begun. */
interface Opened {
  reply: SpeakReply;
  stream: SpeechStream;
}

/** Speaks a text: the audio goes on as it arrives. Whether there is any is known before the answer begins. */
export const speakText: Serve = async (incoming, services, report) => {
  const codec = incoming.speakCodec ?? chatstyleSpeak;
  const opened = new Map<UpstreamResponse, Opened | Failure>();

  async function open(
    plan: OperationCallPlan<SpeakRequest, SpeakCodec>,
    response: UpstreamResponse,
  ): Promise<UpstreamResponse> {
    if (response.status >= 400) return response;
    const { resolution, planned, upstream } = plan;
    const type = String(response.headers["content-type"] ?? "");
    const reply = new SpeakReply(planned as SpeakPlan, { from: upstream, to: codec, type });
    const serviceOrigin = operationEndpoint(speakOperation, resolution.provider, resolution.protocol).origin;
    const { signal } = incoming;
    const stream = new SpeechStream(response.body, reply, {
      open: (url) => openAddress({ url, serviceOrigin, noun: "audio" }, services.transport, signal),
      signal,
    });
    const failure = await stream.begin();
    const shown = failure ? { ...response, status: failure.status } : response;
    opened.set(shown, failure ?? { reply, stream });
    return shown;
  }

  const { answered } = await callOperation(speech, codec, { incoming, services, report }, open);
  const { plan, response } = answered;
  const begun = opened.get(response);
  if (!begun) return refusedResponse(incoming, plan.resolution, response, services);
  if (!("stream" in begun)) return failedResponse(incoming, plan.resolution, begun);
  const { reply, stream } = begun;
  const failure = stream.isAtAddress ? await stream.begin() : undefined;
  if (failure) return failedResponse(incoming, plan.resolution, failure);
  const readable = stream.readable((isComplete) => {
    const price = report.priceOf(plan.resolution);
    report.usage(plan.resolution, spokenUsage(plan, reply, { isComplete, price }));
  });
  return new Response(readable, { headers: answerHeaders(incoming.id, reply.contentType) });
};
