import type { Head, Observation } from "@manifold/core";
import { betaFlags, type UpstreamResponse } from "@manifold/providers";
import { explain } from "../explain.ts";
import {
  faultMessage,
  faultName,
  faultRefusal,
  isDefect,
  isProviderFault,
  logDefect,
  MalformedReply,
} from "../fault.ts";
import { errorSource } from "../http/source.ts";
import { isLeft, watchLeaving } from "../leaving.ts";
import type { Outcome } from "../ports/billing.ts";
import type { Answer, Context } from "../ports/context.ts";
import { attempt } from "../routing/attempts.ts";
import { beginGeneration, type Settle, withTraceHeaders } from "../routing/begin-generation.ts";
import {
  endStage,
  type RequestTrace,
  startTrace,
  summaryOf,
  traceHeaders,
} from "../routing/request-trace.ts";
import { pauseHeaders, refused } from "./answer.ts";
import { call, target } from "./call.ts";
import { chargeFor } from "./charge.ts";
import { checkpoints } from "./checkpoints.ts";
import { estimateOf } from "./estimate.ts";
import { eventStream } from "./framing.ts";
import { heldPrice } from "./hold.ts";
import { noteIds, ownedIds } from "./ids.ts";
import { inspectAsk, type Plan, type TextAsk } from "./plan.ts";
import type { Prepared } from "./prepare.ts";
import { prepareText } from "./prepare.ts";
import { pumpStream } from "./pump-stream.ts";
import { relayTransform } from "./relay.ts";
import { answerName } from "./renaming.ts";
import { type Hide, hideSecret, hidingFailures } from "./secret.ts";
import type { Framing, StreamTransform } from "./stream-transform.ts";
import { billable } from "./tokens.ts";
import { readWhole, translateTransform } from "./translate.ts";
import { isUnread, whole } from "./whole.ts";

/** How one surface wants its stream written. */
export interface StreamStyle {
  /** Other frames than server-sent events. */
  framing?: Framing;
  headers?: Record<string, string>;
}

/**
 * One text generation, from a checked request to its settlement. Whatever happens after the hold, it is settled
 * exactly once, and the end of the answer goes out only after that.
 */
export async function generateText(
  context: Context,
  ask: TextAsk,
  style: StreamStyle = {},
): Promise<Answer | undefined> {
  const { options: requestOptions } = context;
  const trace = startTrace(requestOptions.losses);
  context.summary = () => summaryOf(ask.model, trace);
  const asked = { ...ask, betas: betaFlags((name) => context.exchange.header(name)) };
  const metered = inspectAsk(asked);
  try {
    const owned = await ownedIds(context, metered);
    const prepare = () => prepareText(context, asked, trace, { metered, owned });
    if (requestOptions.explain)
      return await explain(context, trace, prepare, (plan) => target(plan, ask.stream));
    const work = () => generate(context, asked, style, trace, prepare);
    return await (ask.stream ? context.services.streams.run(context.caller, work) : work());
  } catch (error) {
    throw withTraceHeaders(error, trace);
  }
}

/** One generation under way. */
export interface Work {
  context: Context;
  ask: TextAsk;
  plan: Plan;
  hide: Hide;
  trace: RequestTrace;
  settle: SettleReply;
  head: Head;
}

async function generate(
  context: Context,
  ask: TextAsk,
  style: StreamStyle,
  trace: RequestTrace,
  prepare: () => Prepared,
): Promise<Answer | undefined> {
  const { services } = context;
  const { routing, limits } = services;
  const { route, queue, opening } = prepare();
  const { id, hold, settle, abandon } = await beginGeneration(context, trace, opening);
  const { sink } = context.exchange;
  const leaving = watchLeaving(sink);
  const begun = (plan: Plan): Promise<UpstreamResponse> => {
    trace.plan = plan;
    trace.called = performance.now();
    return call(context, plan, ask.stream, leaving.signal(plan.resolution.provider));
  };
  const options = { ...routing, account: context.caller.accountId, now: services.now };
  const answered = await attempt(options, queue, begun, trace.attempts).catch(async (error: unknown) => {
    leaving.close();
    await settle(isLeft(error, sink) ? "aborted" : "failed");
    throw faultRefusal(error, sink);
  });
  const { plan, response, release } = answered;
  endStage(trace, "upstream");
  try {
    if (response.status >= 400)
      return await refused(response, {
        limit: limits.answer,
        from: plan.upstream,
        to: ask.codec,
        settle: () => settle("failed"),
        headers: () => traceHeaders(trace),
        secret: plan.resolution.provider.key,
      });
    if (route.conversation !== undefined) routing.affinity.set(route.conversation, plan.resolution.id);
    const head: Head = {
      id,
      model: ask.model,
      created: Math.floor(context.started / 1000),
      ...(plan.request && { request: plan.request }),
    };
    const hide = hideSecret(plan.resolution.provider.key);
    const safe = { ...plan, restore: hidingFailures(plan.restore, hide) };
    const work: Work = {
      ...{ context, ask, plan: safe, hide, trace, head },
      settle: noting(context, ask, plan, trace, settle),
    };
    if (!ask.stream) {
      trace.first = performance.now();
      trace.whole = true;
      return await whole(response, work);
    }
    const price = heldPrice(plan.metered, plan.resolution);
    const served = plan === queue.first() ? undefined : price;
    await streamed(response, work, style, (used) => checkpoints(context, hold, used, served));
    return undefined;
  } catch (error) {
    await abandon();
    throw error;
  } finally {
    leaving.close();
    release();
  }
}

/** Settles what an entry answered. A failure without an error is one that the reply itself tells of. */
type SettleReply = (status: Outcome["status"], said?: Observation, error?: unknown) => Promise<void>;

/** Settles, and remembers how the entry did. What the provider is not to blame for proves nothing of it. */
function noting(
  context: Context,
  ask: TextAsk,
  plan: Plan,
  trace: RequestTrace,
  settle: Settle,
): SettleReply {
  const { services, caller } = context;
  const { id, provider } = plan.resolution;
  const { breakers: health } = services.routing;
  const began = services.now();
  return (status, said = { content: 0 }, error) => {
    const used = billable(said, ask.body.brief);
    const { usage, price, unpriced } = chargeFor(plan, used, said, services.wholeCatalog);
    for (const what of unpriced) context.watch?.unpriced?.({ provider: provider.id, what });
    noteIds(context, said.billed?.ids);
    if (error !== undefined) trace.fault = faultName(error);
    const blameless = error !== undefined && (status === "aborted" || !isProviderFault(error));
    if (blameless) health.left(id, caller.accountId);
    else if (status === "failed") health.failed(id, caller.accountId);
    else health.completed(id, caller.accountId, usage?.output ?? 0, services.now() - began);
    return settle(status, usage, price);
  };
}

async function streamed(
  response: UpstreamResponse,
  { context, ask, plan, hide, trace, settle, head }: Work,
  style: StreamStyle,
  progress: (used: () => Outcome["usage"] | undefined) => () => void,
): Promise<void> {
  const framing = style.framing ?? eventStream;
  // Some servers ignore `stream`: an answer that arrived whole is streamed.
  const reader = isJson(response) ? readWhole(plan.upstream) : undefined;
  const counted = { ...head, ...(plan.request && { inputTokens: estimateOf(plan.request) }) };
  const translated =
    plan.translated || reader
      ? translateTransform(plan.upstream, ask.codec, counted, plan.restore, framing, reader)
      : undefined;
  const pump: StreamTransform =
    translated ?? relayTransform(ask.codec, style.framing, hide, answerName(ask, plan));
  const used = (): Outcome["usage"] | undefined => billable(pump.observation(), ask.body.brief);
  const { limits } = context.services;
  await pumpStream(response.body, context.exchange.sink, pump, {
    limits: { ...limits, drain: plan.resolution.provider.drain ?? limits.drain },
    head: {
      "content-type": framing.contentType,
      "cache-control": "no-store, no-transform",
      connection: "keep-alive",
      ...style.headers,
      ...traceHeaders(trace),
    },
    say: (error) => faultMessage(error, context.id),
    fail: faultRefusal,
    broke(error) {
      if (isDefect(error))
        logDefect(context.services.log, error, { request: context.id, generation: head.id });
    },
    early: translated
      ? (failure) => {
          // A whole answer that is no reply: it has no reason of its own.
          if (reader && isUnread({ failure })) throw faultRefusal(new MalformedReply());
          const { status, body } = ask.codec.failure.encode(failure);
          return {
            status,
            headers: {
              "content-type": "application/json",
              ...errorSource.provider,
              ...traceHeaders(trace),
              ...pauseHeaders(failure),
            },
            body: JSON.stringify(body),
          };
        }
      : undefined,
    progress: noticing(trace, () => pump.observation().content > 0, progress(used)),
    settle(status, error) {
      if (translated) trace.replyLosses = translated.losses;
      const said = pump.observation();
      return settle(status, reader && isUnread(said) ? undefined : said, error);
    },
  });
}

/** Notes when the first of an answer came. */
function noticing(trace: RequestTrace, begun: () => boolean, next: () => void): () => void {
  return () => {
    if (trace.first === undefined && begun()) trace.first = performance.now();
    next();
  };
}

const isJson = ({ headers }: UpstreamResponse): boolean =>
  /^application\/json\b/i.test(String(headers["content-type"] ?? ""));
