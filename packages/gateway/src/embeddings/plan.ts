import {
  type EmbedCodec,
  type EmbedRequest,
  embedEndpoint,
  estimateEmbed,
  planEmbed,
  takesOf,
} from "@manifold-gateway/core/operations";
import type { Planner } from "@manifold-gateway/providers/routing";
import type { Plan } from "../generation/stages.ts";
import type { JsonBody } from "../http/json-body.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { LossPolicy } from "../ports/context.ts";
import { accepted } from "../routing/accepted.ts";
import type { Candidate } from "../routing/candidate.ts";
import { modelsThatMake, toHint } from "../routing/check-capabilities.ts";
import { demandLosses } from "../routing/demand-losses.ts";
import { forwarded, type Preferences } from "../routing/preferences.ts";
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
  const { base, upstream: wire, ...endpoint } = embedEndpoint(provider, protocol);
  const upstream = wire as EmbedCodec;
  const { provider: options, ...rest } = ask.body.value;
  const translated = protocol !== ask.codec.protocol;
  // Routing options are meant for a router: this service, or a provider that is one too.
  const forwards = provider.routes === true && !translated;
  const meant = forwards ? forwarded(options, providers) : undefined;
  const takes = takesOf(model.inputModalities);
  const gathered = ask.gathered ?? { bytes: new Map(), seconds: new Map() };
  const planned = accepted(
    planEmbed(
      { codec: ask.codec, model: ask.model, value: { ...rest, ...(meant && { provider: meant }) } },
      { codec: upstream, model: entry.name, takes, capabilities: entry.capabilities },
      {
        others: () => modelsThatMake("embedding", catalog),
        adapt: (request, origins) => withGathered(request, upstream, gathered, origins),
      },
    ),
  );
  const [first, ...more] = planned.calls.map(
    ({ path, body }): Call => ({
      body,
      endpoint: { ...endpoint, path: base + path, operation: "embeddings", stream: false },
    }),
  ) as [Call, ...Call[]];
  return {
    resolution,
    upstream,
    request: planned.request,
    translated,
    losses: demandLosses(planned.lost, {
      model: ask.model,
      strictParams: entry.capabilities?.strictParams,
      preferences,
      forwardsPreferences: forwards,
      policy,
    }),
    hints: planned.notes.map(toHint),
    estimate: estimateEmbed(planned.request, planned, { ...takes, tokens: upstream.tokens }),
    more,
    ...first,
  };
}
