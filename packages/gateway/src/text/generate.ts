import type { Head, Observation } from "@manifold-gateway/core";
import { betaFlags, secretsOf, type UpstreamResponse } from "@manifold-gateway/providers";
import { shownBody } from "../generation/explain.ts";
import { type Hide, hideSecrets, hidingFailures } from "../generation/hide-secrets.ts";
import { refuseUnpayable } from "../generation/require-credit.ts";
import { type Generation, runGeneration, traceRequest } from "../generation/run.ts";
import { pauseHeaders } from "../generation/upstream-error.ts";
import {
  faultMessage,
  faultName,
  faultRefusal,
  isDefect,
  isProviderFault,
  logDefect,
  MalformedReply,
} from "../http/fault.ts";
import { errorSource } from "../http/source.ts";
import { streamHeaders } from "../http/stream.ts";
import { reportImpossible } from "../observe/observed-call.ts";
import type { Outcome } from "../ports/billing.ts";
import type { Answer, Context } from "../ports/context.ts";
import { type RequestTrace, traceHeaders } from "../routing/request-trace.ts";
import { mostCalls } from "./billable-items.ts";
import { call, target } from "./call.ts";
import { chargeFor } from "./charge.ts";
import { checkpoints } from "./checkpoints.ts";
import { estimateOf } from "./estimate.ts";
import { eventStream } from "./framing.ts";
import { heldPrice } from "./hold.ts";
import { idOwnersOf, makerOf, noteIds } from "./ids.ts";
import { billable, billableCalls, mostTokens } from "./impossible-usage.ts";
import { inspectAsk, type Plan, type TextAsk } from "./plan.ts";
import { prepareText } from "./prepare.ts";
import { pumpStream } from "./pump-stream.ts";
import { relayTransform } from "./relay.ts";
import { answerName } from "./rename-model.ts";
import type { Framing, StreamTransform } from "./stream-transform.ts";
import { readWhole, translateTransform } from "./translate.ts";
import { isUnread, whole } from "./unary-reply.ts";

/** The form of a surface's streams. */
export interface StreamStyle {
  /** The framing, if not server-sent events. */
  framing?: Framing;
  headers?: Record<string, string>;
}

/** One text generation, from a checked request to its settlement. */
export async function generateText(
  context: Context,
  ask: TextAsk,
  style: StreamStyle = {},
): Promise<Answer | undefined> {
  context.body = ask.body;
  const trace = traceRequest(context, ask.model);
  const fullAsk = { ...ask, betas: betaFlags((name) => context.exchange.header(name)) };
  const metered = inspectAsk(fullAsk);
  const idOwners = await idOwnersOf(context, metered);
  return runGeneration<Plan>(context, trace, {
    stream: ask.stream,
    async prepare() {
      await refuseUnpayable(context, fullAsk);
      return prepareText(context, fullAsk, trace, { metered, idOwners });
    },
    foresee: (plan) => ({
      upstream: {
        method: "POST",
        path: target(plan, ask.stream),
        body: shownBody(plan.body, context.services.protocols),
      },
    }),
    call: (plan, signal, credential) => call(context, plan, ask.stream, { signal, credential }),
    price: (plan) => heldPrice(plan.metered, plan.resolution),
    errors: ({ upstream, resolution }) => ({
      from: upstream,
      to: ask.codec,
      secrets: secretsOf(resolution.provider),
      isForeign: resolution.provider.speaks[resolution.protocol]?.platform !== undefined,
    }),
    answer: (response, generation) => answer(context, fullAsk, style, trace, response, generation),
  });
}

/** A running generation. */
export interface Work {
  context: Context;
  ask: TextAsk;
  plan: Plan;
  hide: Hide;
  trace: RequestTrace;
  settle: SettleReply;
  head: Head;
}

function answer(
  context: Context,
  ask: TextAsk,
  style: StreamStyle,
  trace: RequestTrace,
  response: UpstreamResponse,
  generation: Generation<Plan>,
): Promise<Answer | undefined> {
  const { id, plan } = generation;
  const head: Head = {
    id,
    model: ask.model,
    created: Math.floor(context.started / 1000),
    ...(plan.request && { request: plan.request }),
  };
  const hide = hideSecrets(secretsOf(plan.resolution.provider));
  const safe = { ...plan, restore: hidingFailures(plan.restore, hide) };
  const settle = settleReply(context, ask, trace, generation);
  const work: Work = { context, ask, plan: safe, hide, trace, head, settle };
  if (!ask.stream) {
    trace.first = trace.steady();
    trace.whole = true;
    return whole(response, work);
  }
  return streamed(response, work, style, (used) => checkpoints(context, generation, used));
}

const mostFor = ({ services: { holds } }: Context, { body, codec }: TextAsk, { resolution }: Plan) =>
  mostTokens(body, resolution.entry, { holds, alternatives: codec.billing.alternatives });

/** Settles an entry's answer. A failure without an `error` is one that the reply itself reports. */
type SettleReply = (status: Outcome["status"], observation?: Observation, error?: unknown) => Promise<void>;

/** Settles, and records the entry's success or failure. Failures that are not the provider's do not count. */
function settleReply(
  context: Context,
  ask: TextAsk,
  trace: RequestTrace,
  { plan, credential, settle }: Generation<Plan>,
): SettleReply {
  const { services, caller } = context;
  const { id, provider } = plan.resolution;
  const { breakers: health } = services.routing;
  const began = services.steady();
  const most = mostFor(context, ask, plan);
  return (status, observation = { content: 0 }, error) => {
    const tokens = billable(observation, ask.body, most);
    const counted = billableCalls(
      observation.billed?.calls ?? {},
      mostCalls(plan.metered, services.holds.toolCalls),
    );
    const impossible = [...tokens.impossible, ...counted.impossible];
    reportImpossible(context, plan.resolution, impossible, {
      ...observation.usage,
      ...observation.billed?.calls,
    });
    const used = tokens.usage && impossible.length > 0 ? { ...tokens.usage, estimated: true } : tokens.usage;
    const { usage, price, unpriced } = chargeFor(
      plan,
      used,
      { billed: { ...observation.billed, calls: counted.calls } },
      services.wholeCatalog,
    );
    for (const what of unpriced) context.watch?.unpriced?.({ provider: provider.id, item: what });
    noteIds(context, observation.billed?.ids, makerOf(provider.id, credential));
    if (error !== undefined) trace.fault = faultName(error);
    const blameless = error !== undefined && (status === "aborted" || !isProviderFault(error));
    if (blameless) health.inconclusive(id, caller.accountId);
    else if (status === "failed") health.failed(id, caller.accountId);
    else health.completed(id, caller.accountId, usage?.output ?? 0, services.steady() - began);
    return settle(status, usage, price);
  };
}

async function streamed(
  response: UpstreamResponse,
  { context, ask, plan, hide, trace, settle, head }: Work,
  style: StreamStyle,
  progress: (used: () => Outcome["usage"] | undefined) => () => void,
): Promise<undefined> {
  const framing = style.framing ?? eventStream;
  // Some servers ignore `stream`: their unary answer is turned into a stream.
  const { protocols } = context.services;
  const reader = isJson(response) ? readWhole(plan.upstream, protocols) : undefined;
  const counted = { ...head, ...(plan.request && { inputTokens: estimateOf(plan.request) }) };
  const translated =
    plan.translated || reader
      ? translateTransform(plan.upstream, ask.codec, counted, plan.restore, framing, { reader, protocols })
      : undefined;
  const pump: StreamTransform =
    translated ?? relayTransform(ask.codec, style.framing, hide, answerName(ask, plan));
  const most = mostFor(context, ask, plan);
  const used = (): Outcome["usage"] | undefined => billable(pump.observation(), ask.body, most).usage;
  const { limits } = context.services;
  await pumpStream(response.body, context.exchange.sink, pump, {
    limits: { ...limits, drain: plan.resolution.provider.drain ?? limits.drain },
    head: {
      "content-type": framing.contentType,
      ...streamHeaders,
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
          // A unary answer that cannot be read as a reply states no reason of its own.
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
    progress: markFirstByte(trace, () => pump.observation().content > 0, progress(used)),
    settle(status, error) {
      if (translated) trace.replyLosses = translated.losses;
      const observation = pump.observation();
      return settle(status, reader && isUnread(observation) ? undefined : observation, error);
    },
  });
}

/** Records when the first content of an answer arrived. */
function markFirstByte(trace: RequestTrace, begun: () => boolean, next: () => void): () => void {
  return () => {
    if (trace.first === undefined && begun()) trace.first = trace.steady();
    next();
  };
}

const isJson = ({ headers }: UpstreamResponse): boolean =>
  /^application\/json\b/i.test(String(headers["content-type"] ?? ""));
