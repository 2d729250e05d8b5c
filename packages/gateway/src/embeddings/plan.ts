import { collectLosses, type Loss } from "@manifold-gateway/core";
import { askOfBody, check, isRefused, suggest } from "@manifold-gateway/core/capability";
import { type JsonObject, validate } from "@manifold-gateway/core/codec";
import {
  callsOf,
  checkEmbed,
  type EmbedCodec,
  type EmbedRequest,
  estimateEmbed,
  takesOf,
} from "@manifold-gateway/core/operations";
import { defaultEntry } from "../catalog/catalog.ts";
import type { Plan } from "../generation/stages.ts";
import type { JsonBody } from "../http/json-body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { issuesOf } from "../http/schema-issues.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { LossPolicy } from "../ports/context.ts";
import type { Candidate } from "../routing/candidate.ts";
import { sayLosses } from "../routing/losses.ts";
import { type Preferences, unknownLosses } from "../routing/preferences.ts";
import { EntryRejected, type Planner } from "../routing/queue.ts";
import { type Findings, findingsOf, noFindings, refusal } from "../text/check-capabilities.ts";
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
  losses: Loss[];
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
  { preferences, policy, catalog }: PlanOptions,
): EmbedPlan {
  const { entry, model, protocol, provider } = resolution;
  const upstream = embedderOf(provider, protocol).upstream as EmbedCodec;
  const value = { ...ask.body.value, model: ask.model };
  const parsed = validate(ask.codec.request.schema, value);
  if (!parsed.success) throw new Refusal("invalid_request", issuesOf(parsed.error, ask.model));
  const origins = new Map<object, string>();
  const decoded = ask.codec.request.decode(value, (node, pointer) => void origins.set(node, pointer));
  const gathered = ask.gathered ?? { bytes: new Map(), seconds: new Map() };
  const { request, seconds } = withGathered(decoded, upstream, gathered, origins);
  const takes = { ...takesOf(model.inputModalities), tokens: upstream.tokens };
  const issues = checkEmbed(request, takes, { origins, seconds });
  if (issues.length > 0)
    throw new Refusal(
      "invalid_request",
      issues.map(({ message }) => message),
    );
  const findings = judge(ask, request.dimensions, resolution, catalog);
  const { dimensions, ...rest } = request;
  const dropped = findings.issues.some(({ effect, name }) => effect === "drop" && name === "dimensions");
  const named: EmbedRequest = {
    ...rest,
    model: entry.name,
    ...(dimensions !== undefined && !dropped && { dimensions }),
  };
  const { losses, lose } = collectLosses();
  const [first, ...more] = callsOf(named, upstream).map((part) => write(part, resolution, upstream, lose));
  refuseInputs(losses, ask.model);
  const all = [
    ...findings.losses,
    ...losses.map((loss) => ({
      ...loss,
      path: loss.path === "/dimensions" ? dimensionsPath(value) : loss.path.replace(/^\/extra\//, "/"),
    })),
    ...unknownLosses(preferences),
  ];
  const unsupported = all.filter(({ why }) => why === "unsupported");
  if (preferences.parameters && unsupported.length > 0)
    throw new EntryRejected("parameters", "unsupported_parameter", sayLosses(unsupported, ask.model));
  if (policy === "strict" && all.length > 0)
    throw new EntryRejected("losses", "losses", sayLosses(all, ask.model));
  const translated = protocol !== ask.codec.protocol;
  const estimate = estimateEmbed(request, { seconds }, takes);
  const { hints } = findings;
  return {
    resolution,
    upstream,
    request,
    translated,
    losses: all,
    hints,
    estimate,
    more,
    ...(first as Call),
  };
}

/** The paths of the vectors' length in the protocols. */
const places = [
  ["dimensions"],
  ["outputDimensionality"],
  ["output_dimensionality"],
  ["config", "outputDimensionality"],
  ["config", "output_dimensionality"],
  ["requests", "0", "outputDimensionality"],
  ["requests", "0", "output_dimensionality"],
];

/** The pointer to the vectors' length in the caller's request. */
function dimensionsPath(value: JsonObject): string {
  const found = places.find((keys) => {
    let at: unknown = value;
    for (const key of keys)
      at = typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined;
    return at !== undefined;
  });
  return `/${(found ?? places[0] ?? []).join("/")}`;
}

/** Members of a request body that are not parameters of a model. */
const others = ["input", "contents", "content", "requests", "config", "provider", "encoding_format", "user"];

/** Compares the request with the capabilities of the entry's model. */
function judge(
  { body, model }: EmbedAsk,
  dimensions: number | undefined,
  { entry }: Candidate,
  catalog: Catalog,
): Findings {
  if (!entry.capabilities) return noFindings;
  const path = dimensionsPath(body.value);
  const spelled = askOfBody("embed", model, body.value, { names: { dimensions: path }, others });
  const params = spelled.params.filter(({ name }) => name !== "dimensions");
  if (dimensions !== undefined) params.push({ name: "dimensions", path, value: dimensions });
  const ask = { ...spelled, params };
  const issues = check(entry.capabilities, ask);
  if (!isRefused(issues)) return findingsOf(issues);
  const models = catalog.list().flatMap((candidate) => {
    const first = candidate.isActive && candidate.outputModalities.includes("embedding");
    const of = first && defaultEntry(candidate);
    return of ? [{ id: candidate.id, capabilities: of.capabilities }] : [];
  });
  throw refusal(suggest(issues, models, ask));
}

function write(
  request: EmbedRequest,
  { provider, protocol }: Candidate,
  upstream: EmbedCodec,
  lose: ReturnType<typeof collectLosses>["lose"],
): Call {
  const { base, ...endpoint } = embedEndpoint(provider, protocol);
  const path = base + (upstream.endpoint?.(request) ?? "");
  return {
    body: JSON.stringify(upstream.request.encode(request, lose)),
    endpoint: { ...endpoint, path, operation: "embeddings", stream: false },
  };
}

/** Refuses lost inputs: without them the vectors would be of something else. */
function refuseInputs(losses: readonly Loss[], model: string): void {
  const lost = losses.filter(({ path, why }) => why === "unsupported" && path.startsWith("/inputs"));
  if (lost.length > 0)
    throw new EntryRejected(
      "refused",
      "unsupported_content",
      lost.map(
        ({ path, detail }) =>
          `${path.slice(1).replaceAll("/", ".")}: the model ${quote(model)} does not accept it${detail ? `: ${detail}` : ""}.`,
      ),
    );
}
