import { isUtf8 } from "node:buffer";
import {
  isWrapped,
  quotedText,
  type TranscriptionCodec,
  type TranscriptionPlan,
  type TranscriptionReply,
  type TranscriptionRequest,
  transcriptBody,
} from "@manifold-gateway/core/operations";
import { noteFailure } from "../generation/provider-error.ts";
import { Refusal } from "../http/refusal.ts";
import { answerError, priceOf, readWhole } from "../operations/answered.ts";
import type { AnsweredOperation, OperationPlan, ReplyService } from "../operations/operation.ts";
import type { Answer, Context } from "../ports/context.ts";
import { endStage, traceHeaders } from "../routing/request-trace.ts";
import { isForwarded, type TranscriptionAsk } from "./ask.ts";
import { guardTranscript } from "./guarded.ts";
import { streamTranscript } from "./stream.ts";
import { usedBy } from "./usage.ts";

/** A recording that an entry answered. */
export type AnsweredTranscription = AnsweredOperation<
  TranscriptionAsk,
  OperationPlan<TranscriptionRequest, TranscriptionCodec>
>;

/** Answers with the transcript or the error of an entry, after settling the generation. */
export async function replyTranscript(
  context: Context<ReplyService>,
  answered: AnsweredTranscription,
): Promise<Answer | undefined> {
  const { plan, ask, response, trace } = answered;
  if (response.status >= 400) return answerError(context, answered);
  if (ask.stream) return streamTranscript(context, answered);
  const bytes = await readWhole(context, answered);
  const type = String(response.headers["content-type"] ?? "");
  const { responseFormat } = (plan.planned as TranscriptionPlan).request;
  const body = transcriptBody(bytes, type, responseFormat);
  const reply = plan.upstream.reply.decode(body);
  const masked = await guardTranscript(context, answered, reply);
  await settleTranscript(context, answered, reply);
  endStage(trace, "answer");
  const headers = traceHeaders(trace);
  const forwarded = forwards(answered) && !isWrapped(reply, type, responseFormat);
  const quoted = forwarded && !masked ? quotedText(bytes, type, responseFormat) : undefined;
  if (quoted !== undefined) return { headers: { ...headers, "content-type": TEXT_TYPE }, body: quoted };
  if (forwarded && !masked)
    return {
      headers: { ...headers, "content-type": type || JSON_TYPE },
      // A text can be kept for the same request once more.
      body: isUtf8(bytes) ? Buffer.from(bytes).toString() : bytes,
    };
  // Subtitles that are forwarded are one text.
  const sent =
    masked && forwarded && typeof body === "string"
      ? masked.text
      : ask.codec.reply.encode(masked ?? reply, callerRequest(answered));
  return typeof sent === "string"
    ? { headers: { ...headers, "content-type": TEXT_TYPE }, body: sent }
    : { headers, body: sent };
}

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain; charset=utf-8";

/** Whether the provider's answer goes to the caller as it is. */
export const forwards = ({ ask, plan }: Pick<AnsweredTranscription, "ask" | "plan">): boolean =>
  isForwarded(ask, plan.planned as TranscriptionPlan, { codec: plan.upstream });

/** The request as the caller's wire answers it. */
export const callerRequest = ({
  ask,
  plan,
}: Pick<AnsweredTranscription, "ask" | "plan">): TranscriptionRequest => ({
  ...plan.request,
  model: ask.model,
  responseFormat: (plan.planned as TranscriptionPlan).requested,
});

/** Charges a whole transcript. Throws if the provider gave an error in its place. */
export async function settleTranscript(
  context: Context<ReplyService>,
  answered: AnsweredTranscription,
  reply: TranscriptionReply,
): Promise<void> {
  const { plan, generation, trace } = answered;
  const { services, caller, exchange } = context;
  const { breakers } = services.routing;
  const { id } = plan.resolution;
  if (reply.truncated)
    trace.replyLosses = [{ path: "/text", why: "approximated", detail: "cut at the model's limit" }];
  const usage = usedBy(context, answered, reply);
  if (reply.failure) {
    breakers.failed(id, caller.accountId);
    if (reply.failure.raw) noteFailure(trace, reply.failure, plan.endpoint.provider);
    // What the provider counted was used, although it gave no transcript.
    await generation.settle("failed", reply.usage && usage, priceOf(answered));
    throw new Refusal("provider_failed", reply.failure.message);
  }
  breakers.completed(id, caller.accountId, 0, 0);
  await generation.settle(exchange.sink.closed ? "aborted" : "succeeded", usage, priceOf(answered));
}
