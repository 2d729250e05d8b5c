import { isUtf8 } from "node:buffer";
import { type Observation, observeBody } from "@manifold-gateway/core";
import { isTooDeep, parseJson } from "@manifold-gateway/core/codec";
import type { UpstreamResponse } from "@manifold-gateway/providers";
import { hideIn } from "../generation/hide-secrets.ts";
import { pauseHeaders } from "../generation/upstream-error.ts";
import { isLeft } from "../http/client-left.ts";
import { faultRefusal } from "../http/fault.ts";
import { errorSource } from "../http/source.ts";
import type { Answer } from "../ports/context.ts";
import { endStage, traceHeaders } from "../routing/request-trace.ts";
import { answerName, renaming } from "./rename-model.ts";
import type { Work } from "./reply.ts";
import { settleText } from "./settle.ts";
import { hideOf, translatedReply } from "./translated-reply.ts";

const decoder = new TextDecoder();
/** The first byte of a byte order mark, which decoding removes. */
const MARK = 0xef;

/** An answer that is not sent yet, and what was observed of the reply. */
interface Read {
  answer: Pick<Answer, "status" | "body">;
  observation: Observation;
}

/** Answers with a unary reply, relayed or translated, after it is settled. */
export async function whole(response: UpstreamResponse, work: Work): Promise<Answer> {
  const { context, plan, trace } = work;
  const { sink } = context.exchange;
  let reply: Read;
  try {
    const bytes = await response.body.bytes(context.services.limits.answer);
    reply = plan.translated ? translated(bytes, work) : relayed(bytes, work);
  } catch (error) {
    // Nothing is delivered, so nothing is charged.
    await settleText(work, isLeft(error, sink) ? "aborted" : "failed", undefined, error);
    throw faultRefusal(error, sink);
  }
  const { answer, observation } = reply;
  if (observation.failure) {
    await settleText(work, "failed", observation);
    const pause = pauseHeaders(observation.failure);
    return { ...answer, headers: { ...errorSource.provider, ...traceHeaders(trace), ...pause } };
  }
  try {
    await settleText(work, sink.closed ? "aborted" : "succeeded", observation);
  } catch (error) {
    // An answer that is not delivered is not charged either.
    await settleText(work, "failed", undefined, error).catch(() => {});
    throw error;
  }
  endStage(trace, "answer");
  return { ...answer, headers: traceHeaders(trace) };
}

function translated(bytes: Uint8Array, work: Work): Read {
  const reply = translatedReply(work);
  const answer = reply.whole(200, bytes);
  const observation = reply.observation();
  if (!observation.failure) work.trace.replyLosses = reply.losses;
  return { answer, observation };
}

function relayed(bytes: Uint8Array, work: Work): Read {
  const { ask, plan } = work;
  const text = decoder.decode(bytes);
  const observation = observeBody(plan.upstream, isTooDeep(text) ? undefined : parseJson(text));
  if (observation.failure) {
    observation.failure = hideIn(observation.failure, hideOf(work));
    return { answer: ask.codec.failure.encode(observation.failure), observation };
  }
  // Text can be stored for idempotent repeats; other bytes are relayed as they came.
  if (!isUtf8(bytes) || bytes[0] === MARK) return { answer: { body: bytes }, observation };
  const name = answerName(ask, plan);
  const body = name === undefined ? text : renaming(ask.codec, JSON.stringify(name))(text);
  return { answer: { body }, observation };
}
