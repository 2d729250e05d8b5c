import type { Failure } from "@manifold-gateway/core";
import { isObject, isPossible, parseBounded, run } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import type { OperationCodec, OperationRequest } from "@manifold-gateway/core/operations";
import { hideCredentials, noReply } from "@manifold-gateway/core/reply";
import { secretsOf } from "@manifold-gateway/providers";
import { type Counts, type Price, UNITS } from "@manifold-gateway/store";
import { answerFailure } from "../generation/answer-failure.ts";
import { callAgain, fail } from "../generation/provider-calls.ts";
import { Refusal } from "../http/refusal.ts";
import { reportImpossible } from "../observe/observed-call.ts";
import type { Used } from "../ports/billing.ts";
import type { Answer, Context } from "../ports/context.ts";
import { endStage, traceHeaders } from "../routing/request-trace.ts";
import { mostTokens, sizeOf } from "../text/impossible-usage.ts";
import { answerError, priceOf, readWhole } from "./answered.ts";
import type { AnsweredOperation, OperationAsk, OperationPlan, ReplyService } from "./operation.ts";

/** What a reply that is a whole JSON body says. */
export interface WholeReply<Request, Reply> {
  /** The replies of split calls as one. Default: there is one call. */
  join?(replies: readonly Reply[]): Reply;
  /** What keeps a reply from answering its request, in words for the caller; `undefined` if it does. */
  shortfall?(request: Request, reply: Reply): string | undefined;
  /** The usage that the provider reported; `undefined` if it reported none. Only units of prices are recorded. */
  usage(reply: Reply, request: Request, price: Price): Used | undefined;
  /** The most that a request can use. Default: by the body's size, and anything of other units than tokens. */
  most?(request: Request): Counts;
  /** The reply with the usage that is charged. Default: as it is. */
  withUsage?(reply: Reply, usage: Used): Reply;
}

/** Calls the entry as often as needed, settles, and answers with the whole reply or with the entry's error. */
export const answerWhole =
  <Request extends OperationRequest, Reply>({
    join = ([only]) => only as Reply,
    shortfall,
    usage: usageOf,
    most,
    withUsage = (reply) => reply,
  }: WholeReply<Request, Reply>) =>
  async <Codec extends OperationCodec<Request, Reply>>(
    context: Context<ReplyService>,
    first: AnsweredOperation<OperationAsk<Codec>, OperationPlan<Request, Codec>>,
  ): Promise<Answer> => {
    const { plan, ask, trace, generation } = first;
    const { services, caller, exchange } = context;
    const { breakers } = services.routing;
    const { request, resolution } = plan;
    const replies: Reply[] = [];
    for (let answered = first, i = 0; ; i++) {
      if (answered.response.status >= 400) return answerError(context, answered);
      const { reply, failure } = await read(context, answered);
      if (failure) return answerFailure(context, answered, failure, ask.codec.protocol);
      replies.push(reply);
      const more = plan.more[i];
      if (!more) break;
      answered = await callAgain<typeof plan, typeof first>(context, answered, { ...plan, ...more });
    }
    const reply = join(replies);
    const missing = shortfall?.(request, reply);
    if (missing !== undefined) {
      breakers.failed(resolution.id, caller.accountId);
      await generation.settle("failed");
      throw new Refusal("provider_failed", missing);
    }
    const price = priceOf(first);
    const usage = credible(context, first, usageOf(reply, request, price), most?.(request)) ?? plan.estimate;
    breakers.completed(resolution.id, caller.accountId, 0, 0);
    await generation.settle(exchange.sink.closed ? "aborted" : "succeeded", inUnits(usage), price);
    endStage(trace, "answer");
    return {
      headers: traceHeaders(trace),
      body: ask.codec.reply.encode(withUsage(reply, usage), { ...request, model: ask.model }),
    };
  };

/** Reads a body as a reply, or as the error that some providers send with a status of success. */
async function read<Request extends OperationRequest, Reply>(
  context: Context<"limits" | "protocols">,
  answered: AnsweredOperation<unknown, OperationPlan<Request, OperationCodec<Request, Reply>>>,
): Promise<{ reply: Reply; failure?: Failure | undefined }> {
  const { response, plan, generation } = answered;
  const { protocols } = context.services;
  const text = new TextDecoder().decode(await readWhole(context, answered));
  const body = parseBounded(text);
  if (body === undefined)
    throw await fail(
      context,
      generation,
      noReply(text, () => secretsOf(plan.endpoint.provider)),
    );
  const reply = plan.upstream.reply.decode(body);
  if (!isObject(body) || !body.error) return { reply };
  const { reply: wire } = protocols.codecs[plan.resolution.protocol];
  const hidden = parseBounded(hideCredentials(text, response.status, secretsOf(plan.endpoint.provider)));
  const events: Event[] = run(wire.decode(), wire.burst(hidden ?? null));
  return { reply, failure: events.flatMap((event) => (event.type === "failure" ? [event.failure] : []))[0] };
}

const RECORDED: ReadonlySet<string> = new Set([...UNITS, "estimated", "upstreamUsd"]);

/** The usage without the counts that have no price, which are only for the answer. */
const inUnits = (usage: Used): Used =>
  Object.fromEntries(Object.entries(usage).filter(([name]) => RECORDED.has(name))) as unknown as Used;

/** The usage that the provider reported, unless its figures are impossible. */
function credible(
  context: Context<"holds" | "log">,
  {
    ask: { body },
    plan: { resolution },
  }: Pick<AnsweredOperation<Pick<OperationAsk, "body">>, "ask" | "plan">,
  usage: Used | undefined,
  most: Counts = {},
): Used | undefined {
  if (!usage) return undefined;
  const { input } = mostTokens(sizeOf(body), resolution.entry, context.services.holds);
  const others = UNITS.filter((unit) => unit !== "input" && most[unit] !== undefined && usage[unit]);
  const excessive = others.filter((unit) => (usage[unit] ?? 0) > (most[unit] ?? 0));
  const figures = [
    // A provider that counts in another unit need not count tokens.
    ...(isPossible(usage.input, others.length === 0, Math.max(input, most.input ?? 0))
      ? []
      : (["input"] as const)),
    ...excessive,
  ];
  if (figures.length === 0) return usage;
  const { estimated: _, ...reported } = usage;
  reportImpossible(context, resolution, figures, reported);
  return undefined;
}
