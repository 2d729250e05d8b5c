import type { Head } from "@manifold-gateway/core";
import type { Credential } from "@manifold-gateway/providers";
import type { Price } from "@manifold-gateway/store";
import type { RequestCaching } from "../answer-cache/request-caching.ts";
import type { Generation } from "../generation/generation.ts";
import type { TextService } from "../generation/services.ts";
import type { Answered } from "../generation/stages.ts";
import { answerRefusal } from "../generation/upstream-error.ts";
import { GuardChecker, guardsOf } from "../guards/checker.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { RequestTrace } from "../routing/request-trace.ts";
import type { CallerStream } from "./caller-stream.ts";
import { heldPrice } from "./hold.ts";
import { type RequestSize, sizeOf } from "./impossible-usage.ts";
import type { Plan, TextAsk } from "./plan.ts";
import type { PlannedText } from "./plan-text.ts";
import { streamed } from "./stream-reply.ts";
import { whole } from "./unary-reply.ts";

/** A reply on its way from an entry to the caller. */
export interface Work {
  context: Context<TextService>;
  ask: TextAsk;
  plan: Plan;
  credential: Credential | undefined;
  generation: Generation;
  /** The price of the entry that answers, until its reply shows another one. */
  price: Price;
  trace: RequestTrace;
  head: Head;
  size: RequestSize;
  /** Checks the texts of the reply, if guards do. */
  checker: GuardChecker | undefined;
  /** Where the answer is kept, if it is. */
  caching: RequestCaching | undefined;
  /** When the entry answered, by the steady clock. */
  answeredAt: number;
}

/** A text generation that an entry answered. */
export interface AnsweredText extends PlannedText, Answered<Plan> {}

/** Answers with the reply or the error of an entry, after settling the generation. `stream` is given for a stream. */
export function replyText(
  context: Context<TextService>,
  answered: AnsweredText,
  stream: CallerStream | undefined,
): Promise<Answer | undefined> {
  const { response, plan, ask, trace } = answered;
  const { resolution, upstream } = plan;
  if (response.status >= 400)
    return answerRefusal(context, answered, {
      from: upstream,
      to: ask.codec,
      isForeign: resolution.provider.speaks[resolution.protocol]?.platform !== undefined,
    });
  const { conversation } = answered.route.rules;
  if (conversation !== undefined) rememberEntry(context, conversation, answered);
  const work = workOf(context, answered);
  if (stream) {
    forgetRequest(context, answered);
    return streamed(response, work, stream);
  }
  trace.first = trace.steady();
  trace.whole = true;
  return whole(response, work);
}

/** Lets go of a request that is answered by a stream: it is sent to no other entry, and may last for hours. */
function forgetRequest({ progress }: Context, { planner, plan, opening }: AnsweredText): void {
  planner.forget();
  plan.body = "";
  opening.request = "";
  progress.input.body = undefined;
  progress.input.json = undefined;
}

/** Remembers the entry and the credential that serve a conversation, for which there was a choice. */
function rememberEntry(
  { services }: Context<"routing">,
  conversation: string,
  { plan: { resolution }, credential }: AnsweredText,
): void {
  services.routing.affinity.set(conversation, {
    entry: resolution.id,
    ...(credential && { credential: credential.name }),
  });
}

function replyChecker(context: Context<TextService>): GuardChecker | undefined {
  const guards = guardsOf(context, "reply");
  return guards.length === 0 ? undefined : new GuardChecker(context, "reply", guards);
}

function workOf(context: Context<TextService>, answered: AnsweredText): Work {
  const { ask, plan, credential, trace, generation, queue, opening } = answered;
  return {
    context,
    ask,
    plan,
    credential,
    generation,
    price: plan === queue.first() ? opening.price : heldPrice(plan.metered, plan.resolution),
    trace,
    head: {
      id: generation.id,
      model: ask.model,
      created: Math.floor(context.started / 1000),
      serviceForm: true,
    },
    size: sizeOf(ask.body, answered.basis),
    checker: context.services.guards.length === 0 ? undefined : replyChecker(context),
    caching: answered.caching,
    answeredAt: context.services.steady(),
  };
}
