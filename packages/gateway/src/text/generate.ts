import { explainPlanned, explainRefusal, shownBody } from "../generation/explain.ts";
import { openGeneration } from "../generation/generation.ts";
import { callProviders } from "../generation/provider-calls.ts";
import { refuseUnpayable } from "../generation/require-credit.ts";
import type { PlanService, TextService } from "../generation/services.ts";
import { inputEstimate } from "../generation/token-estimate.ts";
import type { Answer, Context } from "../ports/context.ts";
import { withTraceHeaders } from "../routing/request-trace.ts";
import { adaptToRefusal } from "./adapt-to-refusal.ts";
import { CallerStream, type StreamStyle } from "./caller-stream.ts";
import type { TextAsk } from "./plan.ts";
import { type PlannedText, planText, receiveText } from "./plan-text.ts";
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
  const received = begun instanceof Promise ? await begun : begun;
  const release = received.ask.stream ? context.services.streams.take(context.caller) : undefined;
  try {
    const payable = refuseUnpayable(context, received.ask);
    if (payable) await payable;
    const opened = openGeneration(context, planText(context, received));
    const held = opened instanceof Promise ? await opened : opened;
    const stream = received.ask.stream ? new CallerStream(context, received, style) : undefined;
    // What a provider of the caller's own protocol sends is relayed, with nothing added.
    if (held.queue.first().translated) stream?.keepAlive();
    try {
      const answered = await callProviders(context, held);
      const adapted = answered.response.status >= 400 ? await adaptToRefusal(context, answered) : answered;
      return await replyText(context, adapted, stream);
    } catch (error) {
      await held.generation.abandon();
      throw error;
    } finally {
      stream?.close();
      held.calls.close();
    }
  } catch (error) {
    throw withTraceHeaders(error, received.trace);
  } finally {
    release?.();
  }
}

async function explainText(
  context: Context<PlanService>,
  begun: ReturnType<typeof receiveText>,
): Promise<Answer> {
  const received = await begun;
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
