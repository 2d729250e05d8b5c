import type { JsonObject } from "@manifold-gateway/core/codec";
import type { TextService } from "../generation/services.ts";
import { Refusal } from "../http/refusal.ts";
import type { Fallback } from "../ports/catalog.ts";
import type { Answer, Context } from "../ports/context.ts";
import { fallbacksOf } from "./fallback.ts";
import { planText, type ReceivedText, receiveText } from "./plan-text.ts";

/** Adds the fallbacks to an explanation, each with whether it would take the request. */
export async function withFallbacks(
  context: Context<TextService>,
  received: ReceivedText,
  { body, ...answer }: Answer,
): Promise<Answer> {
  const all = fallbacksOf(context, received.ask);
  if (all.length === 0) return { ...answer, body };
  const fallbacks: JsonObject[] = [];
  for (const one of all) fallbacks.push(await explain(context, received, one));
  // The log line is about the model that the request asks for.
  context.progress.trace = received.trace;
  return { ...answer, body: { ...(body as JsonObject), fallbacks } };
}

async function explain(
  context: Context<TextService>,
  { ask }: ReceivedText,
  { model, on }: Fallback,
): Promise<JsonObject> {
  const named = { model, on: [...on] };
  try {
    const { queue } = planText(context, await receiveText(context, { ...ask, model }));
    return { ...named, verdict: "accepted", entry: queue.first().resolution.id };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...named, verdict: "refused", code: error.code, errors: error.errors };
  }
}
