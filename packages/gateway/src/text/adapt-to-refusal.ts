import { hideSecrets } from "@manifold-gateway/core/reply";
import { secretsOf } from "@manifold-gateway/providers";
import { adaptToRefusal as adaptAnswer } from "@manifold-gateway/providers/routing";
import { callAgain } from "../generation/provider-calls.ts";
import { noteRefusal } from "../generation/provider-error.ts";
import { readAnswer } from "../generation/read-answer.ts";
import { Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import type { Plan } from "./plan.ts";
import type { AnsweredText } from "./reply.ts";

/** Adapts a translated request to its provider's refusal and sends it again, if refusals are learnt from. */
export async function adaptToRefusal(
  context: Context<"limits" | "log" | "routing">,
  answered: AnsweredText,
): Promise<AnsweredText> {
  const { services, exchange } = context;
  const { learnt, maxAttempts } = services.routing;
  const { trace, ask } = answered;
  if (!learnt) return answered;
  let refusal = "";
  const adapted = await adaptAnswer<Plan>(answered, {
    learnt,
    read: (body) => readAnswer(body, exchange.sink, services.limits),
    isTranslated: ({ upstream }) => upstream.protocol !== ask.codec.protocol,
    hide: (text, { endpoint }) => {
      refusal = text;
      return hideSecrets(secretsOf(endpoint.provider))(text);
    },
    planAgain: (plan) => planAgain(answered, plan),
    mayCall: () => trace.attempts.length < maxAttempts && !exchange.sink.closed,
    async callAgain(plan, { because }) {
      noteRefusal(trace, 400, new TextEncoder().encode(refusal), plan.endpoint.provider);
      // A server whose template failed has generated nothing, whatever its status says.
      delete trace.attempts.at(-1)?.perhapsCharged;
      const { id: entry } = plan.resolution;
      services.log.info({ request: context.id, entry, because }, "request adapted to a provider's refusal");
      return (await callAgain(context, answered, plan)).response;
    },
  });
  return { ...answered, ...adapted };
}

/** The plan with what is learnt by now, perhaps on another protocol; `undefined` if the caller's rules refuse it. */
function planAgain({ planner, route }: AnsweredText, plan: Plan): Plan | undefined {
  const candidate = route.rules.fit(plan.resolution);
  if ("why" in candidate) return undefined;
  try {
    return planner.plan(candidate);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
