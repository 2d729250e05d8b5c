import type { JsonObject } from "@manifold-gateway/core/codec";
import { passagesOf, type TranscriptionReply } from "@manifold-gateway/core/operations";
import { bodyTexts, withTexts } from "../guards/body-texts.ts";
import { GuardChecker, guardsOf } from "../guards/checker.ts";
import { priceOf } from "../operations/answered.ts";
import type { ReplyService } from "../operations/operation.ts";
import type { Context } from "../ports/context.ts";
import type { AnsweredTranscription } from "./reply.ts";
import { usedBy } from "./usage.ts";

/**
 * Has the texts of a transcript checked. Returns it with other texts if a guard changes any. One that a guard refuses
 * was made, so it is charged.
 */
export async function guardTranscript(
  context: Context<ReplyService>,
  answered: AnsweredTranscription,
  reply: TranscriptionReply,
): Promise<TranscriptionReply | undefined> {
  if (context.services.guards.length === 0 || reply.failure) return undefined;
  const guards = guardsOf(context, "reply");
  if (guards.length === 0) return undefined;
  const { usage, seconds, ...rest } = reply;
  const texts = plain(rest) as JsonObject;
  const { protocols } = context.services;
  try {
    const changed = await new GuardChecker(context, "reply", guards).check(bodyTexts(texts, protocols));
    if (changed.size === 0) return undefined;
    // A name that is masked in the text may stand in several words.
    const { words: _, ...masked } = withTexts(texts, changed, protocols) as unknown as TranscriptionReply;
    return { ...masked, ...(usage && { usage }), ...(seconds !== undefined && { seconds }) };
  } catch (error) {
    const { generation, plan } = answered;
    context.services.routing.breakers.completed(plan.resolution.id, context.caller.accountId, 0, 0);
    generation.noteFault(error);
    await generation.settle("failed", usedBy(context, answered, reply), priceOf(answered));
    throw error;
  }
}

/**
 * A transcript without what only its own wire knows, such as the tokens of a text, which repeat it. Passages that its
 * words would make are among its segments, because it may be sent without the words.
 */
function plain({ extra: _, segments: given, words, ...reply }: TranscriptionReply): object {
  const segments = passagesOf({ ...reply, ...(given && { segments: given }), ...(words && { words }) });
  const bare = ({ extra: _e, ...passage }: { extra?: unknown }) => passage;
  return {
    ...reply,
    ...(segments && { segments: segments.map(bare) }),
    ...(words && { words: words.map(bare) }),
  };
}
