import { isUtf8 } from "node:buffer";
import { collectLosses, type Observation, parseWire } from "@manifold-gateway/core";
import { type Json, noteBill, run } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import type { UpstreamResponse } from "@manifold-gateway/providers";
import { pauseHeaders } from "../generation/upstream-error.ts";
import { isLeft } from "../http/client-left.ts";
import { faultRefusal, MalformedReply } from "../http/fault.ts";
import { errorSource } from "../http/source.ts";
import type { Answer } from "../ports/context.ts";
import { endStage, traceHeaders } from "../routing/request-trace.ts";
import type { Plan } from "./plan.ts";
import { answerName, renaming } from "./rename-model.ts";
import type { Work } from "./reply.ts";
import { settleText } from "./settle.ts";
import { watchEvents } from "./translate.ts";

const decoder = new TextDecoder();
/** The first byte of a byte order mark, which decoding removes. */
const MARK = 0xef;

/** Checks whether a unary body could not be read as a reply, not even as an error. */
export const isUnread = ({ failure }: Pick<Observation, "failure">): boolean => failure?.status === 502;

/** The events of a unary reply; empty if the body is not a reply. */
function eventsOf(body: Json, { upstream, restore }: Plan): Event[] {
  const replyEvents =
    typeof body === "object" && body !== null
      ? run(upstream.reply.decode(), upstream.reply.burst(body)).flatMap((event) => restore.step(event))
      : [];
  return [...replyEvents, ...restore.end()];
}

/** Answers with a unary reply, relayed or translated, after it is settled. */
export async function whole(response: UpstreamResponse, work: Work): Promise<Answer> {
  const { context, ask, plan, trace, head } = work;
  const { sink } = context.exchange;
  let bytes: Uint8Array;
  try {
    bytes = await response.body.bytes(context.services.limits.answer);
  } catch (error) {
    await settleText(work, isLeft(error, sink) ? "aborted" : "failed", undefined, error);
    throw faultRefusal(error, sink);
  }
  const text = decoder.decode(bytes);
  const { watch, observation } = watchEvents();
  const body = parseWire(text, context.services.protocols) ?? null;
  const events = eventsOf(body, plan);
  for (const event of events) watch(event);
  noteBill(observation, plan.upstream, body);
  if (isUnread(observation) || events.length === 0) {
    // Nothing is delivered, so nothing is charged.
    await settleText(work, "failed");
    throw faultRefusal(new MalformedReply());
  }
  if (observation.failure) {
    await settleText(work, "failed", observation);
    const { status, body: error } = ask.codec.failure.encode(observation.failure);
    const headers = { ...errorSource.provider, ...traceHeaders(trace), ...pauseHeaders(observation.failure) };
    return { status, headers, body: error };
  }
  // Text can be stored for idempotent repeats; other bytes are relayed as they came.
  let answer: Answer["body"] = isUtf8(bytes) && bytes[0] !== MARK ? text : bytes;
  const name = answerName(ask, plan);
  if (typeof answer === "string" && name !== undefined)
    answer = renaming(ask.codec, JSON.stringify(name))(answer);
  if (plan.translated) {
    const { losses, lose } = collectLosses();
    answer = ask.codec.reply.gather(run(ask.codec.reply.encode(head, lose), events));
    trace.replyLosses = losses;
  }
  try {
    await settleText(work, sink.closed ? "aborted" : "succeeded", observation);
  } catch (error) {
    // An answer that is not delivered is not charged either.
    await settleText(work, "failed", undefined, error).catch(() => {});
    throw error;
  }
  endStage(trace, "answer");
  return { headers: traceHeaders(trace), body: answer };
}
