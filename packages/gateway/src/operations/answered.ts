import type { Protocol } from "@manifold-gateway/core";
import type { MostTokens } from "@manifold-gateway/core/codec";
import type { Price } from "@manifold-gateway/store";
import { fail } from "../generation/provider-calls.ts";
import { readAnswer } from "../generation/read-answer.ts";
import type { Answered, Plan } from "../generation/stages.ts";
import { answerRefusal } from "../generation/upstream-error.ts";
import { reportImpossible } from "../observe/observed-call.ts";
import type { Answer, Context } from "../ports/context.ts";
import { impossibleTokens, mostTokens, sizeOf } from "../text/impossible-usage.ts";
import type { OperationAsk } from "./operation.ts";

/** Settles a generation that its entry refused, and answers with the error in the caller's protocol. */
export const answerError = <Of extends Plan>(
  context: Context<"limits" | "protocols" | "routing">,
  answered: Answered<Of> & { ask: { codec: { protocol: Protocol } } },
): Promise<Answer> => {
  const { codecs } = context.services.protocols;
  const { plan, ask } = answered;
  const [from, to] = [codecs[plan.resolution.protocol], codecs[ask.codec.protocol]];
  return answerRefusal(context, answered, { from, to });
};

/** Reads an answer that is not streamed. Settles the generation as failed, and throws, if it cannot be read. */
export async function readWhole<Of extends Plan>(
  context: Context<"limits">,
  { response, generation }: Pick<Answered<Of>, "response" | "generation">,
): Promise<Uint8Array> {
  try {
    return await readAnswer(response.body, context.exchange.sink, context.services.limits);
  } catch (error) {
    throw await fail(context, generation, error);
  }
}

/** The price of the entry that answered. */
export const priceOf = <Of extends Plan>({
  plan,
  queue,
  opening,
}: Pick<Answered<Of>, "plan" | "queue" | "opening">): Price =>
  plan === queue.first() ? opening.price : plan.resolution.terms.price;

/** Checks the tokens that a provider counted, and reports impossible ones. */
export function hasPossibleTokens(
  context: Context<"holds" | "log">,
  { ask, plan: { resolution } }: { ask: Pick<OperationAsk, "body">; plan: Plan },
  reported: Partial<MostTokens>,
): boolean {
  const most = mostTokens(sizeOf(ask.body), resolution.entry, context.services.holds);
  const impossible = impossibleTokens(reported, most);
  if (impossible.length > 0) reportImpossible(context, resolution, impossible, { ...reported });
  return impossible.length === 0;
}
