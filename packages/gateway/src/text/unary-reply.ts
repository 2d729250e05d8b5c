import type { Observation } from "@manifold-gateway/core";
import { relayBody, type WholeReply } from "@manifold-gateway/core/reply";
import type { UpstreamResponse } from "@manifold-gateway/providers";
import { readAnswer } from "../generation/read-answer.ts";
import { checkAnswer } from "../guards/check-answer.ts";
import { isLeft } from "../http/client-left.ts";
import { faultRefusal } from "../http/fault.ts";
import { errorSource } from "../http/source.ts";
import type { Answer } from "../ports/context.ts";
import { endStage, traceHeaders } from "../routing/request-trace.ts";
import { openedReply, relayOptions } from "./opened-reply.ts";
import { RecordedReply } from "./recorded-reply.ts";
import type { Work } from "./reply.ts";
import { settleText } from "./settle.ts";

/** An answer that is not sent yet, and what was observed of the reply. */
interface Read {
  whole: WholeReply;
  observation: Observation;
}

/** Answers with a unary reply, relayed or translated, after it is settled. */
export async function whole(response: UpstreamResponse, work: Work): Promise<Answer> {
  const { context, ask, plan, trace } = work;
  const { sink } = context.exchange;
  const { replyBytes: most } = context.services.billing;
  let reply: Read;
  try {
    const bytes = await readAnswer(response.body, sink, context.services.limits);
    const record = most === undefined ? undefined : new RecordedReply(work, { most, unary: true });
    trace.reply = record;
    if (!plan.translated) record?.push(bytes);
    reply = plan.translated
      ? translated(bytes, work, record?.add)
      : relayBody(bytes, plan.upstream, ask.codec, relayOptions(work));
  } catch (error) {
    // Nothing is delivered, so nothing is charged.
    await settleText(work, isLeft(error, sink) ? "aborted" : "failed", undefined, error);
    throw faultRefusal(error, sink);
  }
  const { observation } = reply;
  if (work.checker && !observation.failure) {
    try {
      reply.whole = await checkAnswer(reply.whole, work.checker, context.services.protocols);
    } catch (error) {
      // The provider has generated the reply, so it is charged; but a guard did not let it pass, so it is not kept.
      trace.reply = undefined;
      await settleText(work, "failed", observation, error);
      throw error;
    }
    if (work.checker.hasMasked) trace.reply = undefined;
  }
  const { whole: answer } = reply;
  if (observation.failure) {
    await settleText(work, "failed", observation);
    return { ...answer, headers: { ...errorSource.provider, ...traceHeaders(trace), ...answer.headers } };
  }
  try {
    await undefined; // See `handle`.
    await settleText(work, sink.closed ? "aborted" : "succeeded", observation);
  } catch (error) {
    // An answer that is not delivered is neither kept nor charged.
    trace.reply = undefined;
    await settleText(work, "failed", undefined, error).catch(() => {});
    throw error;
  }
  endStage(trace, "answer");
  work.caching?.keepWhole(answer, trace);
  return { ...answer, headers: traceHeaders(trace) };
}

function translated(bytes: Uint8Array, work: Work, watch: RecordedReply["add"] | undefined): Read {
  const reply = openedReply(work, { watch });
  const whole = reply.whole(200, {}, bytes);
  const observation = reply.observation();
  if (!observation.failure) work.trace.replyLosses = reply.losses;
  return { whole, observation };
}
