import type { UpstreamResponse } from "@manifold-gateway/providers";
import type { GuardChecker } from "../guards/checker.ts";
import { StreamGuard } from "../guards/stream-guard.ts";
import type { CallerStream } from "./caller-stream.ts";
import { estimateOf } from "./estimate.ts";
import { heldReply, openedReply } from "./opened-reply.ts";
import { pumpStream } from "./pump-stream.ts";
import { RecordedReply } from "./recorded-reply.ts";
import type { Work } from "./reply.ts";
import { type Guarded, ReplyHandler } from "./reply-handler.ts";

/** Relays or translates a streamed reply. Its end is written after the generation is settled. */
export function streamed(response: UpstreamResponse, work: Work, stream: CallerStream): Promise<undefined> {
  const { context, plan, head, trace } = work;
  // Some servers ignore `stream`: their unary answer is turned into a stream.
  const unary = isJson(response);
  const { replyBytes: most } = context.services.billing;
  const record = most === undefined ? undefined : new RecordedReply(work, { most, unary });
  trace.reply = record;
  const options = {
    head: { ...head, ...(plan.request && { inputTokens: estimateOf(plan.request) }) },
    framing: stream.style.framing,
    unary,
    watch: record?.add,
  };
  const guarded = work.checker && guardedReply(work, work.checker, options);
  const reply = guarded?.reply ?? openedReply(work, options);
  const handler = new ReplyHandler(work, reply, stream, guarded);
  const { drain } = plan.resolution.provider;
  const { limits } = context.services;
  const replyLimits = unary ? { ...limits, stream: limits.answer } : limits;
  return pumpStream(response.body, context.exchange.sink, handler, replyLimits, drain);
}

/** A reply whose texts are held back until guards have checked them. */
function guardedReply(
  work: Work,
  checker: GuardChecker,
  options: Parameters<typeof openedReply>[1],
): Guarded {
  const guard = new StreamGuard(checker);
  return { guard, reply: heldReply(work, { ...options, hold: guard.held }) };
}

const isJson = ({ headers }: UpstreamResponse): boolean =>
  /^application\/json\b/i.test(String(headers["content-type"] ?? ""));
