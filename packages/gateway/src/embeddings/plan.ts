import { collectLosses, type Loss, type Origins, traceOrigins } from "@manifold-gateway/core";
import { askOfBody } from "@manifold-gateway/core/capability";
import { validate } from "@manifold-gateway/core/codec";
import {
  callsOf,
  checkEmbed,
  type EmbedCodec,
  type EmbedRequest,
  estimateEmbed,
  takesOf,
} from "@manifold-gateway/core/operations";
import { type LocatedLoss, rejectContent } from "@manifold-gateway/core/plan";
import type { Plan } from "../generation/stages.ts";
import type { JsonBody } from "../http/json-body.ts";
import { Refusal } from "../http/refusal.ts";
import { issuesOf } from "../http/schema-issues.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { LossPolicy } from "../ports/context.ts";
import { accepted } from "../routing/accepted.ts";
import type { Candidate } from "../routing/candidate.ts";
import { checkCapabilities, type Findings, noFindings } from "../routing/check-capabilities.ts";
import { demandLosses } from "../routing/demand-losses.ts";
import { forwarded, type Preferences } from "../routing/preferences.ts";
import type { Planner } from "../routing/queue.ts";
import { embedderOf, embedEndpoint } from "./embedder.ts";
import { type Gathered, withGathered } from "./fetch-parts.ts";

export interface EmbedAsk {
  /** The protocol of the caller. */
  codec: EmbedCodec;
  body: JsonBody;
  /** The model's name as the caller sent it. */
  model: string;
  /** The fetched and measured media. */
  gathered?: Gathered;
}

/** One upstream call of an embedding request, ready to send. */
type Call = Pick<Plan, "body" | "endpoint">;

/** An embedding request for one entry: as many calls as its provider needs. */
export interface EmbedPlan extends Plan {
  upstream: EmbedCodec;
  request: EmbedRequest;
  /** The estimated tokens. */
  estimate: ReturnType<typeof estimateEmbed>;
  /** The calls after the first. */
  more: Call[];
}

interface PlanOptions {
  preferences: Preferences;
  policy: LossPolicy;
  /** The catalog from which a refusal suggests another model. */
  catalog: Catalog;
  /** The providers of this service, by id. */
  providers: ReadonlyMap<string, unknown>;
}

/** Plans one embedding request for any entry. */
export class EmbedPlanner implements Planner<EmbedPlan, Candidate> {
  readonly #ask: EmbedAsk;
  readonly #options: PlanOptions;

  constructor(ask: EmbedAsk, options: PlanOptions) {
    this.#ask = ask;
    this.#options = options;
  }

  plan(candidate: Candidate): EmbedPlan {
    return planAt(this.#ask, candidate, this.#options);
  }
}

/** Plans the request for one entry. Throws a 400 with every rule that the request breaks. */
function planAt(
  ask: EmbedAsk,
  resolution: Candidate,
  { preferences, policy, catalog, providers }: PlanOptions,
): EmbedPlan {
  const { entry, model, protocol, provider } = resolution;
  const upstream = embedderOf(provider, protocol).upstream as EmbedCodec;
  const { provider: options, ...rest } = ask.body.value;
  const translated = protocol !== ask.codec.protocol;
  // Routing options are meant for a router: this service, or a provider that is one too.
  const forwards = provider.routes === true && !translated;
  const meant = forwards ? forwarded(options, providers) : undefined;
  const value = { ...rest, model: ask.model, ...(meant && { provider: meant }) };
  const parsed = validate(ask.codec.request.schema, value);
  if (!parsed.success)
    throw new Refusal("invalid_request", issuesOf(parsed.error, ask.model), {
      param: String(parsed.error.issues[0]?.path[0] ?? "body"),
    });
  const origins = traceOrigins();
  const decoded = ask.codec.request.decode(value, origins.trace);
  const gathered = ask.gathered ?? { bytes: new Map(), seconds: new Map() };
  const { request, seconds } = withGathered(decoded, upstream, gathered, origins);
  const takes = { ...takesOf(model.inputModalities), tokens: upstream.tokens };
  const issues = checkEmbed(request, takes, { origins, seconds });
  if (issues.length > 0)
    throw new Refusal(
      "invalid_request",
      issues.map(({ message }) => message),
      { param: issues[0]?.path.split("/")[1] ?? "body" },
    );
  const { dimensions, ...others } = request;
  const findings = judge(ask, dimensions, resolution, catalog);
  const dropped = findings.issues.some(({ effect, name }) => effect === "drop" && name === "dimensions");
  const named: EmbedRequest = {
    ...others,
    model: entry.name,
    ...(dimensions !== undefined && !dropped && { dimensions }),
  };
  const written = callsOf(named, upstream).map((part) => write(part, resolution, upstream));
  const [first, ...more] = written.map(({ call }) => call) as [Call, ...Call[]];
  const length = dimensionsPath(ask);
  const lost = written.flatMap((part) => locate(part, origins, length));
  accepted(rejectContent(lost, ask.model));
  const losses = [...findings.losses, ...withoutRepeats(lost.map(({ loss }) => loss))];
  return {
    resolution,
    upstream,
    request,
    translated,
    losses: demandLosses(
      {
        losses,
        settings: losses,
        parameters: lost.flatMap(({ loss }) => (loss.path === length ? [loss] : [])),
      },
      {
        model: ask.model,
        strictParams: entry.capabilities?.strictParams,
        preferences,
        forwardsPreferences: forwards,
        policy,
      },
    ),
    hints: findings.hints,
    estimate: estimateEmbed(request, { seconds }, takes),
    more,
    ...first,
  };
}

/** The pointer to the vectors' length in the caller's request: the place that it has, else the usual one. */
function dimensionsPath({ codec: { facts }, body }: EmbedAsk): string {
  const has = (pointer: string): boolean => {
    let node: unknown = body.value;
    for (const key of pointer.slice(1).split("/"))
      node = typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined;
    return node !== undefined;
  };
  return facts.dimensions.find(has) ?? (facts.dimensions[0] as string);
}

/** Compares the request with the capabilities of the entry's model. */
function judge(
  ask: EmbedAsk,
  dimensions: number | undefined,
  { entry: { capabilities } }: Candidate,
  catalog: Catalog,
): Findings {
  if (!capabilities) return noFindings;
  const path = dimensionsPath(ask);
  const others = [...ask.codec.facts.others, "provider"];
  const read = askOfBody("embed", ask.model, ask.body.value, { names: { dimensions: path }, others });
  const params = read.params.filter(({ name }) => name !== "dimensions");
  if (dimensions !== undefined) params.push({ name: "dimensions", path, value: dimensions });
  return checkCapabilities(capabilities, { ...read, params }, { catalog, makes: "embedding" });
}

/** A call, and what its wire cannot express of its part of the request. */
interface Written {
  part: EmbedRequest;
  call: Call;
  losses: readonly Loss[];
}

function write(part: EmbedRequest, { provider, protocol }: Candidate, upstream: EmbedCodec): Written {
  const { base, ...endpoint } = embedEndpoint(provider, protocol);
  const path = base + (upstream.endpoint?.(part) ?? "");
  const { losses, lose } = collectLosses();
  const body = JSON.stringify(upstream.request.encode(part, lose));
  return {
    part,
    call: { body, endpoint: { ...endpoint, path, operation: "embeddings", stream: false } },
    losses,
  };
}

/** The losses of a call with the caller's pointers, and the kind of content for those of content. */
const locate = ({ part, losses }: Written, origins: Origins, dimensions: string): LocatedLoss[] =>
  losses.map((loss) => ({
    loss: { ...loss, path: loss.path === "/dimensions" ? dimensions : origins.locate(part, loss.path) },
    content: contentAt(part, loss.path),
  }));

/** Describes the content at a path: without it, a vector would be of something else. */
function contentAt({ inputs }: EmbedRequest, path: string): string | undefined {
  const [, i, j] = /^\/inputs\/(\d+)(?:\/parts\/(\d+)$)?/.exec(path) ?? [];
  const input = inputs[Number(i)];
  if (!input) return undefined;
  if ("tokens" in input) return "token ids";
  const part = input.parts[Number(j)];
  return part?.type === "media" ? `${part.kind} by ${part.source.type}` : "this field";
}

/** A loss that several calls have is one. */
const withoutRepeats = (losses: readonly Loss[]): Loss[] => [
  ...new Map(losses.map((loss) => [`${loss.path} ${loss.why}`, loss])).values(),
];
