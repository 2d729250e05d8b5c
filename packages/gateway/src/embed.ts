import { type AnyCodec, codecs, type Protocol } from "@manifold/core";
import { isObject, type JsonObject, parseJson } from "@manifold/core/codec";
import { type EmbedReply, embedCodecs, joinEmbed, shortfall } from "@manifold/core/operations";
import { type Provider, type UpstreamResponse, upstreamHeaders } from "@manifold/providers";
import { amountOf } from "./billing.ts";
import { type Call, type EmbedAsk, type EmbedPlan, planEmbed } from "./embed-plan.ts";
import { explain } from "./explain.ts";
import { faultRefusal } from "./fault.ts";
import { Refusal } from "./http/refusal.ts";
import { isLeft, type Leaving, watchLeaving } from "./leaving.ts";
import { embedderOf, embedsApart, type Gathered, gatherEmbed } from "./media/embed.ts";
import { refuseAddresses } from "./media/forwarded.ts";
import { send } from "./observe/watch.ts";
import type { Outcome } from "./ports/billing.ts";
import type { Answer, Context } from "./ports/context.ts";
import { attempt } from "./routing/attempts.ts";
import { beginGeneration, type Settle, withTraceHeaders } from "./routing/begin-generation.ts";
import type { Candidate } from "./routing/candidate.ts";
import { queueOf } from "./routing/queue.ts";
import { endStage, type RequestTrace, startTrace, summaryOf, traceHeaders } from "./routing/request-trace.ts";
import { findRoute } from "./routing/route.ts";
import { refused } from "./text/answer.ts";
import type { Prepared } from "./text/prepare.ts";
import { storableText } from "./text/storable.ts";
import { inputBound, inputEstimate } from "./text/tokens.ts";

const speaksEmbeddings = (protocol: Protocol): boolean => embedCodecs[protocol]?.endpoint !== undefined;

/** One embedding request: checked, held for, called in as many parts as the provider wants, settled, answered. */
export async function embed(context: Context, asked: EmbedAsk): Promise<Answer> {
  const ask = { ...asked, gathered: await gatherEmbed(context, asked) };
  const { options: requestOptions } = context;
  const trace = startTrace(requestOptions.losses);
  context.summary = () => summaryOf(ask.model, trace);
  const prepare = () => prepareEmbed(context, ask, trace);
  if (requestOptions.explain) {
    const told = await explain(context, trace, prepare, (plan) => target(plan, plan));
    return withPending(told, ask.gathered, trace.plan as EmbedPlan | undefined);
  }
  try {
    return await generate(context, ask, trace, prepare());
  } catch (error) {
    throw withTraceHeaders(error, trace);
  }
}

/** An explanation that tells which files would be fetched first. */
function withPending(told: Answer, { pending }: Gathered, plan: EmbedPlan | undefined): Answer {
  const body = told.body as JsonObject;
  if (!plan || !pending || !isObject(body.upstream)) return told;
  const files = plan.request.inputs.flatMap((input, i) =>
    "tokens" in input
      ? []
      : input.parts.flatMap((part, j) => {
          const field = pending.get(`/inputs/${i}/parts/${j}`);
          const inline = part.type === "media" && part.source.type === "base64";
          return inline && field !== undefined ? [`${field}: the file is fetched, and goes inline.`] : [];
        }),
  );
  if (files.length === 0) return told;
  return { ...told, body: { ...body, upstream: { ...body.upstream, pending: files } } };
}

function prepareEmbed(context: Context, ask: EmbedAsk, trace: RequestTrace): Prepared<EmbedPlan> {
  const { services, caller } = context;
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
    makes: "embedding",
    can: speaksEmbeddings,
    apart: embedsApart,
  });
  const { preferences } = route;
  const { catalog } = services;
  const queue = queueOf(
    route,
    (candidate) => planEmbed(ask, candidate, { preferences, policy: trace.policy, catalog }),
    services.routing.maxAttempts,
  );
  trace.queue = queue;
  refuseAddresses(services, ask);
  const first = queue.first();
  trace.plan = first;
  endStage(trace, "plan");
  const { videoInput: _, estimated: _e, ...estimate } = first.estimate;
  const input = inputBound(ask.body, services.admission === "strict", services.holds);
  const usage = { ...estimate, input: Math.max(input, estimate.input), output: 0 };
  const asks = queue.within();
  return {
    route,
    queue,
    least: () => ({ input: inputEstimate(ask.body.brief), output: 0 }),
    opening: {
      caller,
      modality: "text",
      model: ask.model,
      request: storableText(ask.body),
      price: first.resolution.terms.price,
      usage,
      ...(asks.length > 1 && {
        amount: Math.max(...asks.map(({ terms }) => amountOf({ usage, price: terms.price }))),
      }),
    },
  };
}

async function generate(
  context: Context,
  ask: EmbedAsk,
  trace: RequestTrace,
  { queue, opening }: Prepared<EmbedPlan>,
): Promise<Answer> {
  const { settle, abandon } = await beginGeneration(context, trace, opening);
  const leaving = watchLeaving(context.exchange.sink);
  try {
    return await work(context, ask, trace, queue, settle, leaving);
  } catch (error) {
    await abandon();
    throw error;
  } finally {
    leaving.close();
  }
}

async function work(
  context: Context,
  ask: EmbedAsk,
  trace: RequestTrace,
  queue: Prepared<EmbedPlan>["queue"],
  settle: Settle,
  leaving: Leaving,
): Promise<Answer> {
  const { services } = context;
  const { routing, limits } = services;
  const { sink } = context.exchange;
  const fail = async (error: unknown): Promise<never> => {
    await settle(isLeft(error, sink) ? "aborted" : "failed");
    throw faultRefusal(error, sink);
  };
  const { accountId: account } = context.caller;
  const options = { ...routing, account, now: services.now };
  const first = await attempt(
    options,
    queue,
    (plan) => {
      trace.plan = plan;
      return call(context, plan, plan, leaving);
    },
    trace.attempts,
  ).catch(fail);
  const { plan } = first;
  endStage(trace, "upstream");
  const replies: EmbedReply[] = [];
  for (let answered = first, at = 0; ; at += 1) {
    const { response, release } = answered;
    try {
      if (response.status >= 400)
        return await refused(response, {
          limit: limits.answer,
          from: codecs[plan.resolution.protocol] as AnyCodec,
          to: codecs[ask.codec.protocol] as AnyCodec,
          settle: () => settle("failed"),
          headers: () => traceHeaders(trace),
          secret: askedAt(plan.resolution).provider.key,
        });
      const bytes = await response.body.bytes(limits.answer).catch(fail);
      replies.push(plan.upstream.reply.decode(parseJson(new TextDecoder().decode(bytes)) ?? null));
    } finally {
      release();
    }
    const more = plan.more[at];
    if (!more) break;
    // What has begun with one entry is not mixed with the vectors of another.
    const rest = { first: () => plan, next: () => undefined };
    answered = await attempt(
      options,
      rest,
      (same) => call(context, same, more, leaving),
      trace.attempts,
    ).catch(fail);
  }
  const { request } = plan;
  const reply = joinEmbed(replies);
  const missing = shortfall(request, reply);
  if (missing) {
    routing.breakers.failed(plan.resolution.id, account);
    await settle("failed");
    throw new Refusal("provider_failed", missing.message);
  }
  const counted = reply.usage ?? plan.estimate;
  const { videoInput: _, ...usage } = { ...counted, output: 0 } as Outcome["usage"] & { videoInput?: number };
  routing.breakers.completed(plan.resolution.id, account, 0, 0);
  await settle(sink.closed ? "aborted" : "succeeded", usage, plan.resolution.terms.price);
  endStage(trace, "answer");
  return {
    headers: traceHeaders(trace),
    body: ask.codec.reply.encode({ ...reply, usage: counted }, { ...request, model: ask.model }),
  };
}

const target = ({ resolution: { provider, protocol } }: EmbedPlan, { path }: Pick<Call, "path">): string =>
  embedderOf(provider, protocol).base + path;

/** Where an entry is asked for embeddings, and the provider as it is there: with the key and headers of that place. */
function askedAt({ provider, protocol }: Candidate): { origin: string; provider: Provider } {
  const { origin, service } = embedderOf(provider, protocol);
  return {
    origin,
    provider: service ? { ...provider, ...service, speaks: { [protocol]: service } } : provider,
  };
}

function call(
  context: Context,
  plan: EmbedPlan,
  { body, path }: Call,
  leaving: Leaving,
): Promise<UpstreamResponse> {
  const { origin, provider } = askedAt(plan.resolution);
  const signal = leaving.signal(provider);
  const request = {
    origin,
    path: target(plan, { path }),
    method: "POST",
    headers: upstreamHeaders(provider, plan.resolution.protocol, false, (name) =>
      context.exchange.header(name),
    ),
    body,
    ...provider.timeouts,
    ...(signal && { signal }),
  } as const;
  return send(context, plan.resolution, request, { operation: "embeddings" });
}
