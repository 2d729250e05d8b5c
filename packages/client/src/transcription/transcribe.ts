import type { Failure, Loss } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { hideSecrets } from "@manifold-gateway/core/reply";
import {
  chatstyleTranscription,
  isTranscriptStream,
  isWrapped,
  planTranscription,
  quotedText,
  readTranscript,
  readTranscriptEvents,
  type TranscriptionCodec,
  type TranscriptionPlan,
  type TranscriptionReply,
  type TranscriptionRequest,
  transcriptionOperation,
  unfoldTranscript,
} from "@manifold-gateway/core/transcription";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { secretsOf } from "@manifold-gateway/providers/provider";
import { callOperation } from "../operations/call.ts";
import type { OperationCallPlan } from "../operations/plan.ts";
import type { Serve } from "../parts.ts";
import { answerHeaders } from "../reply/failure.ts";
import { failedResponse, refusedResponse } from "../reply/refused.ts";
import { bodyWith } from "./body.ts";
import { frame, TranscriptStream } from "./stream.ts";
import { transcribedUsage } from "./usage.ts";

/** The largest answer that is read whole, in bytes. */
const LARGEST = 256 * 1024 * 1024;
const EVENTS = "text/event-stream; charset=utf-8";

type Plan = OperationCallPlan<TranscriptionRequest, TranscriptionCodec>;

const typeOf = ({ headers }: UpstreamResponse): string => String(headers["content-type"] ?? "");

/** The form of the provider's answer. */
const formatOf = ({ planned }: Plan) => (planned as TranscriptionPlan).request.responseFormat;

/** Writes down a recording, or translates it into English. */
export const transcribeRecording: Serve = async (incoming, services, report) => {
  const { id, model, signal, recording = new Uint8Array() } = incoming;
  const codec = incoming.transcriptionCodec ?? chatstyleTranscription;
  const isStreamed = incoming.wire.stream && codec.stream !== undefined;
  const opened = new Map<UpstreamResponse, TranscriptStream | Failure>();

  async function open(plan: Plan, response: UpstreamResponse): Promise<UpstreamResponse> {
    const { stream } = plan.upstream;
    if (response.status >= 400 || !isStreamed || !stream || !isTranscriptStream(typeOf(response)))
      return response;
    const opening = new TranscriptStream(response.body, readTranscriptEvents(stream));
    const failure = await opening.begin();
    const shown = failure ? { ...response, status: failure.status } : response;
    opened.set(shown, failure ?? opening);
    return shown;
  }

  const { answered } = await callOperation<TranscriptionRequest, TranscriptionCodec>(
    {
      noun: "transcripts",
      wires: transcriptionOperation,
      plan: planTranscription,
      send: ({ request }, { codec: upstream }, { value }) =>
        bodyWith(recording, value, { content: upstream.content, file: request.file }),
    },
    codec,
    { incoming, services, report },
    open,
  );
  const { plan, response } = answered;
  const { resolution } = plan;

  function finish(reply: TranscriptionReply | undefined): void {
    if (!reply) return;
    if (reply.truncated) report.losses(resolution, "reply", [cut]);
    const used = transcribedUsage(plan, reply, report.priceOf(resolution));
    if (used) report.usage(resolution, used.usage, used.isPriced);
  }

  const begun = opened.get(response);
  if (begun && !(begun instanceof TranscriptStream)) return failedResponse(incoming, resolution, begun);
  if (response.status >= 400) return refusedResponse(incoming, resolution, response, services);
  const { requested } = plan.planned as TranscriptionPlan;
  const request = { ...plan.request, model, responseFormat: requested };
  if (begun) {
    const writer = {
      machine: (codec as Required<TranscriptionCodec>).stream.encode(request),
      codec: incoming.codec,
      hide: hideSecrets(() => secretsOf(resolution.provider)),
    };
    return new Response(begun.readable(writer, signal, finish), { headers: answerHeaders(id, EVENTS) });
  }
  const bytes = await response.body.bytes(LARGEST);
  const type = typeOf(response);
  const format = formatOf(plan);
  const reply = readTranscript(plan.upstream, bytes, { type, format });
  if (reply.failure) return failedResponse(incoming, resolution, reply.failure);
  finish(reply);
  if (isStreamed)
    return new Response(eventsOf(codec, reply, request), { headers: answerHeaders(id, EVENTS) });
  // A text, such as of subtitles, is what the provider wrote.
  const isAlike =
    codec === plan.upstream &&
    (format ?? "json") === requested &&
    !isTranscriptStream(type) &&
    !isWrapped(reply, type, format);
  const quoted = isAlike ? quotedText(bytes, type, format) : undefined;
  if (isAlike && quoted === undefined)
    return new Response(bytes as BodyInit, { headers: answerHeaders(id, type || "application/json") });
  const answer = quoted ?? codec.reply.encode(reply, request);
  return typeof answer === "string"
    ? new Response(answer, { headers: answerHeaders(id, "text/plain; charset=utf-8") })
    : new Response(JSON.stringify(answer), { headers: answerHeaders(id, "application/json") });
};

/** The loss of a transcript that ends before its recording. */
const cut: Loss = { path: "/text", why: "approximated", detail: "cut at the model's limit" };

/** A whole transcript as the events of a stream. */
function eventsOf(
  { stream }: TranscriptionCodec,
  reply: TranscriptionReply,
  request: TranscriptionRequest,
): string {
  const machine = (stream as NonNullable<typeof stream>).encode(request);
  const chunks: JsonObject[] = unfoldTranscript(reply).flatMap((event) => machine.step(event));
  return [...chunks, ...machine.end()].map(frame).join("");
}
