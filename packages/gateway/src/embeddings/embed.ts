import type { Protocol } from "@manifold-gateway/core";
import { parseJson } from "@manifold-gateway/core/codec";
import { type EmbedReply, embedCodecs, joinEmbed, shortfall } from "@manifold-gateway/core/operations";
import {
  type Credential,
  type Provider,
  secretsOf,
  type UpstreamResponse,
  upstreamHeaders,
} from "@manifold-gateway/providers";
import { shownBody } from "../generation/explain.ts";
import { type Prepared, prepareGeneration } from "../generation/prepare.ts";
import { refuseUnpayable } from "../generation/require-credit.ts";
import { type Generation, runGeneration, traceRequest } from "../generation/run.ts";
import { inputBound } from "../generation/token-estimate.ts";
import { Refusal } from "../http/refusal.ts";
import { reportImpossible, send } from "../observe/observed-call.ts";
import type { Outcome } from "../ports/billing.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { Candidate } from "../routing/candidate.ts";
import { endStage, type RequestTrace, traceHeaders } from "../routing/request-trace.ts";
import { findRoute } from "../routing/route.ts";
import { isPossible, mostTokens } from "../text/impossible-usage.ts";
import { embedderOf, separateEmbedProtocol } from "./embedder.ts";
import { type Gathered, gatherEmbed } from "./fetch-parts.ts";
import { type Call, type EmbedAsk, type EmbedPlan, planEmbed } from "./plan.ts";

const speaksEmbeddings = (protocol: Protocol): boolean => embedCodecs[protocol]?.endpoint !== undefined;

/** Serves an embedding request: checks it, holds credit, calls the provider as often as needed, settles, answers. */
export async function embed(context: Context, original: EmbedAsk): Promise<Answer | undefined> {
  const gathered = await gatherEmbed(context, original);
  const ask = { ...original, gathered };
  const { codecs } = context.services.protocols;
  const trace = traceRequest(context, ask.model);
  return runGeneration<EmbedPlan>(context, trace, {
    async prepare() {
      await refuseUnpayable(context, ask);
      return prepareEmbed(context, ask, trace);
    },
    foresee: (plan) => ({
      upstream: {
        ...{
          method: "POST",
          path: target(plan, plan),
          body: shownBody(plan.body, context.services.protocols),
        },
        ...pendingIn(gathered, plan),
      },
    }),
    call: (plan, signal, credential) => call(context, plan, plan, { signal, credential }),
    price: ({ resolution }) => resolution.terms.price,
    errors: ({ resolution }) => ({
      from: codecs[resolution.protocol],
      to: codecs[ask.codec.protocol],
      secrets: secretsOf(embedEndpointOf(resolution).provider),
    }),
    answer: (response, generation) => answer(context, ask, trace, response, generation),
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

function prepareEmbed(context: Context, ask: EmbedAsk, trace: RequestTrace): Prepared<EmbedPlan> {
  const { services, caller } = context;
  const { catalog, admission, holds } = services;
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
    makes: "embedding",
    can: speaksEmbeddings,
    separateProtocol: separateEmbedProtocol,
    credentials: (candidate) => embedEndpointOf(candidate).provider.credentials,
    // Embeddings are not conversations: no later request profits from the same credential.
    identity: context.id,
  });
  const { preferences } = route;
  return prepareGeneration(context, trace, {
    ask,
    route,
    plan: (candidate) => planEmbed(ask, candidate, { preferences, policy: trace.policy, catalog }),
    held({ estimate: { videoInput: _, estimated: _e, ...estimate } }) {
      const input = Math.max(inputBound(ask.body, admission === "strict", holds), estimate.input);
      return ({ terms }) => ({ usage: { ...estimate, input, output: 0 }, price: terms.price });
    },
  });
}

async function answer(
  context: Context,
  ask: EmbedAsk,
  trace: RequestTrace,
  first: UpstreamResponse,
  { plan, credential, price, settle, fail, refuse, again }: Generation<EmbedPlan>,
): Promise<Answer> {
  const { services, caller, exchange } = context;
  const { limits, routing } = services;
  const { request, resolution, upstream } = plan;
  const replies: EmbedReply[] = [];
  let response = first;
  for (const more of [...plan.more, undefined]) {
    const bytes = await response.body.bytes(limits.answer).catch(fail);
    replies.push(upstream.reply.decode(parseJson(new TextDecoder().decode(bytes)) ?? null));
    if (!more) break;
    response = await again((signal) => call(context, plan, more, { signal, credential }));
    if (response.status >= 400) return refuse(response);
  }
  const reply = joinEmbed(replies);
  const missing = shortfall(request, reply);
  if (missing) {
    routing.breakers.failed(resolution.id, caller.accountId);
    await settle("failed");
    throw new Refusal("provider_failed", missing.message);
  }
  const counted = credible(context, ask, plan, reply.usage) ?? plan.estimate;
  const { videoInput: _, ...usage } = { ...counted, output: 0 } as Outcome["usage"] & { videoInput?: number };
  routing.breakers.completed(resolution.id, caller.accountId, 0, 0);
  await settle(exchange.sink.closed ? "aborted" : "succeeded", usage, price);
  endStage(trace, "answer");
  return {
    headers: traceHeaders(trace),
    body: ask.codec.reply.encode({ ...reply, usage: counted }, { ...request, model: ask.model }),
  };
}

/** The usage that the provider reported, unless its figures are impossible. */
function credible<Usage extends { input: number }>(
  context: Context,
  { body }: EmbedAsk,
  { resolution }: EmbedPlan,
  usage: Usage | undefined,
): Usage | undefined {
  const { input } = mostTokens(body, resolution.entry, { holds: context.services.holds });
  if (!usage || isPossible(usage.input, true, input)) return usage;
  reportImpossible(context, resolution, ["input"], usage);
  return undefined;
}

const target = ({ resolution: { provider, protocol } }: EmbedPlan, { path }: Pick<Call, "path">): string =>
  embedderOf(provider, protocol).base + path;

/** The origin where an entry serves embeddings, and its provider with the key and headers for that origin. */
function embedEndpointOf({ provider, protocol }: Candidate): { origin: string; provider: Provider } {
  const { origin, service } = embedderOf(provider, protocol);
  if (!service) return { origin, provider };
  const { key: _, credentials: _c, identity: _i, ...rest } = provider;
  return { origin, provider: { ...rest, ...service, speaks: { [protocol]: service } } };
}

function call(
  context: Context,
  plan: EmbedPlan,
  { body, path }: Call,
  { signal, credential }: { signal: AbortSignal | undefined; credential: Credential | undefined },
): Promise<UpstreamResponse> {
  const { origin, provider } = embedEndpointOf(plan.resolution);
  const request = {
    origin,
    path: target(plan, { path }),
    method: "POST",
    headers: upstreamHeaders(
      provider,
      plan.resolution.protocol,
      false,
      (name) => context.exchange.header(name),
      credential,
    ),
    body,
    ...provider.timeouts,
    ...(signal && { signal }),
  } as const;
  return send(context, { ...plan.resolution, credential }, request, { operation: "embeddings" });
}
