import { isPossible, parseJson } from "@manifold-gateway/core/codec";
import { type EmbedReply, joinEmbed, shortfall } from "@manifold-gateway/core/operations";
import { callAgain, fail } from "../generation/provider-calls.ts";
import type { Answered } from "../generation/stages.ts";
import { answerRefusal } from "../generation/upstream-error.ts";
import { Refusal } from "../http/refusal.ts";
import { reportImpossible } from "../observe/observed-call.ts";
import type { Outcome } from "../ports/billing.ts";
import type { Answer, Context } from "../ports/context.ts";
import { endStage, traceHeaders } from "../routing/request-trace.ts";
import { mostTokens, sizeOf } from "../text/impossible-usage.ts";
import type { EmbedPlan } from "./plan.ts";
import type { PlannedEmbed } from "./plan-embed.ts";

/** An embedding request that an entry answered: with the first of its replies if it needs several calls. */
export interface AnsweredEmbed extends PlannedEmbed, Answered<EmbedPlan> {}

/** Calls the entry as often as needed, settles, and answers with all vectors or with the entry's error. */
export async function replyEmbed(
  context: Context<"holds" | "limits" | "log" | "protocols" | "routing">,
  first: AnsweredEmbed,
): Promise<Answer> {
  const { plan, ask, trace, generation } = first;
  const { services, caller, exchange } = context;
  const { routing, protocols } = services;
  const { request, resolution } = plan;
  const replies: EmbedReply[] = [];
  for (let answered = first, i = 0; ; i++) {
    const { response } = answered;
    if (response.status >= 400)
      return answerRefusal(context, answered, {
        from: protocols.codecs[resolution.protocol],
        to: protocols.codecs[ask.codec.protocol],
      });
    replies.push(await read(context, answered));
    const more = plan.more[i];
    if (!more) break;
    answered = await callAgain(context, answered, { ...plan, ...more });
  }
  const reply = joinEmbed(replies);
  const missing = shortfall(request, reply);
  if (missing) {
    routing.breakers.failed(resolution.id, caller.accountId);
    await generation.settle("failed");
    throw new Refusal("provider_failed", missing.message);
  }
  const counted = credible(context, first, reply.usage) ?? plan.estimate;
  const { videoInput: _, ...usage } = { ...counted, output: 0 } as Outcome["usage"] & { videoInput?: number };
  routing.breakers.completed(resolution.id, caller.accountId, 0, 0);
  const { price } = plan === first.queue.first() ? first.opening : resolution.terms;
  await generation.settle(exchange.sink.closed ? "aborted" : "succeeded", usage, price);
  endStage(trace, "answer");
  return {
    headers: traceHeaders(trace),
    body: ask.codec.reply.encode({ ...reply, usage: counted }, { ...request, model: ask.model }),
  };
}

async function read(
  context: Context<"limits">,
  { response, plan, generation }: AnsweredEmbed,
): Promise<EmbedReply> {
  let bytes: Uint8Array;
  try {
    bytes = await response.body.bytes(context.services.limits.answer);
  } catch (error) {
    throw await fail(context, generation, error);
  }
  return plan.upstream.reply.decode(parseJson(new TextDecoder().decode(bytes)) ?? null);
}

/** The usage that the provider reported, unless its figures are impossible. */
function credible<Usage extends { input: number }>(
  context: Context<"holds" | "log">,
  { ask: { body }, plan: { resolution } }: AnsweredEmbed,
  usage: Usage | undefined,
): Usage | undefined {
  const { input } = mostTokens(sizeOf(body), resolution.entry, context.services.holds);
  if (!usage || isPossible(usage.input, true, input)) return usage;
  reportImpossible(context, resolution, ["input"], usage);
  return undefined;
}
