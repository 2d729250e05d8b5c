import { replay } from "../answer-cache/replay.ts";
import { cachingOf } from "../answer-cache/request-caching.ts";
import { explainPlanned, explainRefusal, shownBody } from "../generation/explain.ts";
import { openGeneration } from "../generation/generation.ts";
import { callProviders } from "../generation/provider-calls.ts";
import { refuseUnpayable } from "../generation/require-credit.ts";
import type { PlanService, TextService } from "../generation/services.ts";
import { inputEstimate } from "../generation/token-estimate.ts";
import type { Answer, Context } from "../ports/context.ts";
import { adaptToRefusal } from "./adapt-to-refusal.ts";
import { CallerStream, type StreamStyle } from "./caller-stream.ts";
import { withFallbacks } from "./explain-fallbacks.ts";
import { FallbackLine, type ModelEnd } from "./fallback-line.ts";
import type { TextAsk } from "./plan.ts";
import { type PlannedText, planText, type ReceivedText, receiveText } from "./plan-text.ts";
import { replyText } from "./reply.ts";

/** Serves one text generation, or explains it if only that is requested. */
export function generateText(
  context: Context<TextService>,
  ask: TextAsk,
  style: StreamStyle = usualStyle,
): Promise<Answer | undefined> {
  const received = receiveText(context, ask);
  return context.options.explain ? explainText(context, received) : serveText(context, received, style);
}

const usualStyle: StreamStyle = {};

/**
 * The stages of a generation. It is settled exactly once, whatever happens after its credit is held. They are one
 * function, because each that waits for another keeps memory of its own for as long as a stream is open.
 */
async function serveText(
  context: Context<TextService>,
  begun: ReturnType<typeof receiveText>,
  style: StreamStyle,
): Promise<Answer | undefined> {
  let received = begun instanceof Promise ? await begun : begun;
  const release = received.ask.stream ? context.services.streams.take(context.caller) : undefined;
  let stream: CallerStream | undefined;
  let fallback: FallbackLine | undefined;
  try {
    const payable = refuseUnpayable(context, received.ask);
    if (payable) await payable;
    const caching = context.services.answers && cachingOf(context, received, style);
    if (caching) {
      const kept = await caching.find();
      if (kept) return await replay(context, received, kept, caching.share);
      received = { ...received, caching };
    }
    for (;;) {
      let end: ModelEnd;
      try {
        const planned = planText(context, received);
        const { deferral } = context.services;
        const deferred = deferral && (await deferral.answer(context, planned));
        if (deferred) return deferred;
        await undefined; // See `handle`.
        const opened = openGeneration(context, planned);
        const held = opened instanceof Promise ? await opened : opened;
        if (stream) stream.follow(received);
        else if (received.ask.stream) stream = new CallerStream(context, received, style);
        // What a provider of the caller's own protocol sends is relayed, with nothing added.
        if (held.queue.first().translated) stream?.keepAlive();
        try {
          const answered = await callProviders(context, held);
          if (answered.response.status < 400) return await replyText(context, answered, stream);
          const adapted = await adaptToRefusal(context, answered);
          end = { answer: await replyText(context, adapted, stream), by: adapted };
        } catch (error) {
          await held.generation.abandon();
          throw error;
        } finally {
          held.calls.close();
        }
      } catch (error) {
        end = { error };
      }
      fallback ??= new FallbackLine(context, received);
      const next = await fallback.after(end, received);
      if (next === undefined) return fallback.answer();
      received = next;
    }
  } finally {
    stream?.close();
    release?.();
  }
}

async function explainText(
  context: Context<TextService>,
  begun: ReturnType<typeof receiveText>,
): Promise<Answer> {
  const received = await begun;
  const answer = await explainModel(context, received);
  return withFallbacks(context, received, answer);
}

async function explainModel(context: Context<PlanService>, received: ReceivedText): Promise<Answer> {
  let planned: PlannedText;
  try {
    await refuseUnpayable(context, received.ask);
    planned = planText(context, received);
  } catch (error) {
    return explainRefusal(context, error, received.trace);
  }
  const { endpoint, body } = planned.queue.first();
  return explainPlanned(context, planned, {
    upstream: { method: "POST", path: endpoint.path, body: shownBody(body, context.services.protocols) },
    least: { input: inputEstimate(received.ask.body), output: 0 },
  });
}
