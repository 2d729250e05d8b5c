import { explainPlanned, explainRefusal, shownBody } from "../generation/explain.ts";
import { openGeneration } from "../generation/generation.ts";
import { callProviders } from "../generation/provider-calls.ts";
import type { EmbeddingService, GenerationService, PlanService } from "../generation/services.ts";
import { inputEstimate } from "../generation/token-estimate.ts";
import type { Answer, Context } from "../ports/context.ts";
import { withTraceHeaders } from "../routing/request-trace.ts";
import type { Gathered } from "./fetch-parts.ts";
import type { EmbedAsk, EmbedPlan } from "./plan.ts";
import { type PlannedEmbed, planEmbed, type ReceivedEmbed, receiveEmbed } from "./plan-embed.ts";
import { replyEmbed } from "./reply.ts";

/** Serves an embedding request, or explains it if only that is requested. */
export async function embed(context: Context<EmbeddingService>, ask: EmbedAsk): Promise<Answer> {
  const received = await receiveEmbed(context, ask);
  return context.options.explain ? explainEmbed(context, received) : serveEmbed(context, received);
}

/** The stages of a generation. It is settled exactly once, whatever happens after its credit is held. */
async function serveEmbed(context: Context<GenerationService>, received: ReceivedEmbed): Promise<Answer> {
  try {
    const planned = await planEmbed(context, received);
    const held = await openGeneration(context, planned);
    try {
      const answered = await callProviders(context, held);
      return await replyEmbed(context, answered);
    } catch (error) {
      await held.generation.abandon();
      throw error;
    } finally {
      held.calls.close();
    }
  } catch (error) {
    throw withTraceHeaders(error, received.trace);
  }
}

async function explainEmbed(context: Context<PlanService>, received: ReceivedEmbed): Promise<Answer> {
  let planned: PlannedEmbed;
  try {
    planned = await planEmbed(context, received);
  } catch (error) {
    return explainRefusal(context, error, received.trace);
  }
  const plan = planned.queue.first();
  return explainPlanned(context, planned, {
    upstream: {
      method: "POST",
      path: plan.endpoint.path,
      body: shownBody(plan.body, context.services.protocols),
      ...pendingIn(received.ask.gathered, plan),
    },
    least: { input: inputEstimate(received.ask.body), output: 0 },
  });
}

/** The fields whose files would be fetched first. */
function pendingIn({ pending }: Gathered, { request }: EmbedPlan): { pending?: string[] } {
  if (!pending) return {};
  const files = request.inputs.flatMap((input, i) =>
    "tokens" in input
      ? []
      : input.parts.flatMap((part, j) => {
          const field = pending.get(`/inputs/${i}/parts/${j}`);
          const inline = part.type === "media" && part.source.type === "base64";
          return inline && field !== undefined ? [`${field}: the file is fetched and sent inline.`] : [];
        }),
  );
  return files.length > 0 ? { pending: files } : {};
}
