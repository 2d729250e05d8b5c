import {
  type AnyCodec,
  askOfBody,
  callsOf,
  check,
  checkEmbed,
  codecs,
  collectLosses,
  type EmbedCodec,
  type EmbedReply,
  type EmbedRequest,
  embedCodecs,
  estimateEmbed,
  isRefused,
  joinEmbed,
  type Loss,
  type Protocol,
  parseJson,
  shortfall,
  suggest,
  takesOf,
} from "@manifold/core";
import { type UpstreamResponse, upstreamHeaders } from "@manifold/providers";
import type { Outcome } from "./billing.ts";
import { type Catalog, defaultEntry } from "./catalog.ts";
import type { Answer, Context } from "./context.ts";
import { explain } from "./explain.ts";
import type { JsonBody } from "./http/body.ts";
import { quote, Refusal } from "./http/refusal.ts";
import { issuesOf } from "./issues.ts";
import { embedderOf, type Gathered, gatherEmbed, withGathered } from "./media/embed.ts";
import { attempt } from "./routing/attempts.ts";
import type { Candidate } from "./routing/candidate.ts";
import { type LossPolicy, readWishes, sayLosses } from "./routing/losses.ts";
import { unknownLosses } from "./routing/preferences.ts";
import { queueOf, Unsuited } from "./routing/queue.ts";
import { findRoute, type Route } from "./routing/route.ts";
import { begin, told } from "./routing/told.ts";
import { mark, startTrail, type Trail, trailHeaders } from "./routing/trail.ts";
import { faultRefusal, refused } from "./text/answer.ts";
import { findingsOf, noFindings, refusal } from "./text/judge.ts";
import type { Prepared } from "./text/prepare.ts";
import { storable } from "./text/storable.ts";
import { inputBound, inputEstimate } from "./text/tokens.ts";

export interface EmbedAsk {
  /** The caller's wire. */
  codec: EmbedCodec;
  body: JsonBody;
  /** As the caller named it. */
  model: string;
  /** What is known of its media. */
  gathered?: Gathered;
}

/** One upstream call of an embedding request, ready to be sent. */
interface Call {
  body: string;
  path: string;
}

/** An embedding request for one entry: as many calls as its provider wants. */
interface EmbedPlan extends Call {
  resolution: Candidate;
  upstream: EmbedCodec;
  request: EmbedRequest;
  translated: boolean;
  losses: Loss[];
  hints: readonly string[];
  /** The tokens that it is reckoned to have. */
  estimate: ReturnType<typeof estimateEmbed>;
  /** What follows the first call. */
  more: Call[];
}

const speaksEmbeddings = (protocol: Protocol): boolean => embedCodecs[protocol]?.endpoint !== undefined;

/** One embedding request: checked, held for, called in as many parts as the provider wants, settled, answered. */
export async function embed(context: Context, asked: EmbedAsk): Promise<Answer> {
  const ask = { ...asked, gathered: await gatherEmbed(context, asked) };
  const wishes = readWishes(context.exchange);
  const trail = startTrail(wishes.losses);
  const prepare = () => prepareEmbed(context, ask, trail);
  if (wishes.explain) return explain(context, trail, prepare, (plan) => target(plan, plan));
  try {
    return await generate(context, ask, trail, prepare());
  } catch (error) {
    throw told(error, trail);
  }
}

function prepareEmbed(context: Context, ask: EmbedAsk, trail: Trail): Prepared<EmbedPlan> {
  const { services, caller } = context;
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
    can: speaksEmbeddings,
  });
  trail.route = route;
  const queue = queueOf(route, (candidate) => plan(ask, candidate, route, trail.policy, services.catalog));
  trail.plan = queue.first;
  mark(trail, "plan");
  const { videoInput: _, estimated: _e, ...estimate } = queue.first.estimate;
  return {
    route,
    queue,
    least: () => ({ input: inputEstimate(ask.body.value), output: 0 }),
    opening: {
      caller,
      modality: "text",
      model: ask.model,
      request: storable(ask.body),
      price: queue.first.resolution.price,
      usage: { ...estimate, input: Math.max(inputBound(ask.body.value), estimate.input), output: 0 },
    },
  };
}

async function generate(
  context: Context,
  ask: EmbedAsk,
  trail: Trail,
  { queue, opening }: Prepared<EmbedPlan>,
): Promise<Answer> {
  const { services } = context;
  const { routing, limits } = services;
  const { settle } = await begin(context, trail, opening);
  const fail = async (error: unknown, usage?: Outcome["usage"]): Promise<never> => {
    await settle("failed", usage);
    throw faultRefusal(error);
  };
  const options = { ...routing, now: services.now };
  const first = await attempt(
    options,
    queue,
    (plan) => {
      trail.plan = plan;
      return send(context, plan, plan);
    },
    trail.attempts,
  ).catch(fail);
  const { plan } = first;
  mark(trail, "upstream");
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
          headers: () => trailHeaders(trail),
          secret: plan.resolution.provider.key,
        });
      const bytes = await response.body.bytes(limits.answer).catch((error: unknown) => fail(error));
      replies.push(plan.upstream.reply.decode(parseJson(new TextDecoder().decode(bytes)) ?? null));
    } finally {
      release();
    }
    const call = plan.more[at];
    if (!call) break;
    // What has begun with one entry is not mixed with the vectors of another.
    const rest = { first: plan, next: () => undefined };
    answered = await attempt(options, rest, (same) => send(context, same, call), trail.attempts).catch(fail);
  }
  const { request } = plan;
  const reply = joinEmbed(replies);
  const missing = shortfall(request, reply);
  if (missing) {
    routing.health.failed(plan.resolution.id);
    await settle("failed");
    throw new Refusal(502, missing.message);
  }
  const counted = reply.usage ?? plan.estimate;
  const { videoInput: _, ...usage } = { ...counted, output: 0 } as Outcome["usage"] & { videoInput?: number };
  routing.health.completed(plan.resolution.id, 0, 0);
  await settle(context.exchange.sink.closed ? "aborted" : "succeeded", usage);
  mark(trail, "answer");
  return {
    headers: trailHeaders(trail),
    body: ask.codec.reply.encode({ ...reply, usage: counted }, { ...request, model: ask.model }),
  };
}

/** The request for one entry, or a 400 for every rule that it does not meet. */
function plan(
  ask: EmbedAsk,
  resolution: Candidate,
  { preferences }: Route,
  policy: LossPolicy,
  catalog: Catalog,
): EmbedPlan {
  const { entry, model, protocol, provider } = resolution;
  const upstream = embedderOf(provider, protocol).upstream as EmbedCodec;
  const value = { ...ask.body.value, model: ask.model };
  const parsed = ask.codec.request.schema.safeParse(value);
  if (!parsed.success) throw new Refusal(400, issuesOf(parsed.error, ask.model));
  const origins = new Map<object, string>();
  const decoded = ask.codec.request.decode(value, (node, pointer) => void origins.set(node, pointer));
  const gathered = ask.gathered ?? { bytes: new Map(), seconds: new Map() };
  const { request, seconds } = withGathered(decoded, upstream, gathered, origins);
  const takes = { ...takesOf(model.inputModalities), tokens: upstream.tokens };
  const issues = checkEmbed(request, takes, { origins, seconds });
  if (issues.length > 0)
    throw new Refusal(
      400,
      issues.map(({ message }) => message),
    );
  const findings = judge(ask, resolution, catalog);
  const { dimensions, user: _, ...rest } = request;
  const dropped = findings.issues.some(({ effect, name }) => effect === "drop" && name === "dimensions");
  // Who the end user is stays between the caller and us.
  const named: EmbedRequest = {
    ...rest,
    model: entry.name,
    ...(dimensions !== undefined && !dropped && { dimensions }),
  };
  const { losses, lose } = collectLosses();
  const [first, ...more] = callsOf(named, upstream).map((part) => write(part, upstream, lose));
  refuseInputs(losses, ask.model);
  const all = [
    ...findings.losses,
    ...losses.map((loss) => ({ ...loss, path: pathOf(loss.path, ask.codec.protocol) })),
    ...unknownLosses(preferences),
  ];
  const unsupported = all.filter(({ why }) => why === "unsupported");
  if (preferences.parameters && unsupported.length > 0)
    throw new Unsuited("parameters", sayLosses(unsupported, ask.model), { code: "unsupported_parameter" });
  if (policy === "strict" && all.length > 0)
    throw new Unsuited("losses", sayLosses(all, ask.model), { code: "losses" });
  const { body, path } = first as Call;
  const translated = protocol !== ask.codec.protocol;
  const estimate = estimateEmbed(request, { seconds }, takes);
  const { hints } = findings;
  return { resolution, upstream, request, translated, losses: all, hints, estimate, body, path, more };
}

/** Where the wires that do not say it at the top have the length of the vectors. */
const dimensionsAt: Partial<Record<Protocol, string>> = { genstyle: "/outputDimensionality" };

const pathOf = (path: string, protocol: Protocol): string =>
  path === "/dimensions" ? (dimensionsAt[protocol] ?? path) : path.replace(/^\/extra\//, "/");

/** Compares what is asked for with what the entry's model takes. */
function judge({ body, codec, model }: EmbedAsk, { entry }: Candidate, catalog: Catalog) {
  if (!entry.capabilities) return noFindings;
  const names = { dimensions: dimensionsAt[codec.protocol] ?? "/dimensions" };
  const others = ["input", "contents", "requests", "provider", "encoding_format", "user"];
  const ask = askOfBody("embed", model, body.value, { names, others });
  const issues = check(entry.capabilities, ask);
  if (!isRefused(issues)) return findingsOf(issues);
  const models = catalog.list().flatMap((candidate) => {
    const first = candidate.isActive && candidate.outputModalities.includes("embedding");
    const of = first && defaultEntry(candidate);
    return of ? [{ id: candidate.id, capabilities: of.capabilities }] : [];
  });
  throw refusal(suggest(issues, models, ask));
}

const write = (
  request: EmbedRequest,
  upstream: EmbedCodec,
  lose: ReturnType<typeof collectLosses>["lose"],
): Call => ({
  body: JSON.stringify(upstream.request.encode(request, lose)),
  path: upstream.endpoint?.(request) ?? "",
});

/** A loss among the inputs would make a vector of something else. */
function refuseInputs(losses: readonly Loss[], model: string): void {
  const lost = losses.filter(({ path, why }) => why === "unsupported" && path.startsWith("/inputs"));
  if (lost.length > 0)
    throw new Unsuited(
      "refused",
      lost.map(
        ({ path, detail }) =>
          `${path.slice(1).replaceAll("/", ".")}: the model ${quote(model)} cannot take it${detail ? `: ${detail}` : ""}.`,
      ),
    );
}

const target = ({ resolution: { provider, protocol } }: EmbedPlan, { path }: Call): string =>
  embedderOf(provider, protocol).base + path;

function send({ services, exchange }: Context, plan: EmbedPlan, call: Call): Promise<UpstreamResponse> {
  const { provider, protocol } = plan.resolution;
  const { origin, service } = embedderOf(provider, protocol);
  const known = service ? { ...provider, ...service, speaks: { [protocol]: service } } : provider;
  return services.transport.send({
    origin,
    path: target(plan, call),
    method: "POST",
    headers: upstreamHeaders(known, protocol, false, (name) => exchange.header(name)),
    body: call.body,
    ...provider.timeouts,
  });
}
