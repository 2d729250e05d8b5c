import type { AnyCodec } from "@manifold-gateway/core";
import { textCheck } from "@manifold-gateway/core/check";
import {
  CallerRequest,
  type PlanOptions as LibraryOptions,
  planRequest,
  Rejection,
  type RequestPlan,
  type RequestSource,
} from "@manifold-gateway/core/plan";
import { type Payload, platformEdits } from "@manifold-gateway/providers";
import { learntSteps, traitsOf } from "@manifold-gateway/providers/routing";
import type { Endpoint } from "../generation/stages.ts";
import type { JsonBody } from "../http/json-body.ts";
import type { Catalog, Fallback } from "../ports/catalog.ts";
import { refusalOf } from "../routing/accepted.ts";
import type { Candidate, Resolution } from "../routing/candidate.ts";
import { modelsThatMake, toHint } from "../routing/check-capabilities.ts";
import { type LossDemands, lossRulesOf, unknownPreferences } from "../routing/demand-losses.ts";
import { forwarded } from "../routing/preferences.ts";
import { inspect, type Metered, nothingMetered } from "./billable-items.ts";
import { endpointOf } from "./endpoint.ts";
import { type IdOwners, refuseForeign } from "./ids.ts";
import { rejectNested } from "./nested-json.ts";
import { refuseUnpriced } from "./refuse-unpriced.ts";

/** The request of a surface to the text pipeline. */
export interface TextAsk extends RequestSource<Payload> {
  codec: AnyCodec;
  body: JsonBody;
  stream: boolean;
  /** Throws a refusal if the entry cannot do what is requested. */
  check?(resolution: Resolution): void;
  /** The flags of the caller's beta header. */
  betas?: readonly string[];
  /** The models that the request names as its fallbacks, once they are read. */
  fallbacks?: readonly Fallback[] | undefined;
}

/** A request ready to be sent. */
export interface Plan<Of extends Resolution = Candidate> extends RequestPlan<Payload> {
  resolution: Of;
  endpoint: Endpoint;
  /** The items of the sent request that are billed in addition to tokens. */
  metered: Metered;
  hints: readonly string[];
}

/** The facts about one request that the plans for its entries share. */
export interface PlanOptions extends LossDemands {
  /** The catalog from which a refusal suggests another model. */
  catalog?: Catalog;
  /** The providers of this service, by id. */
  providers?: ReadonlyMap<string, unknown>;
  /** The items of the caller's request that are billed in addition to tokens. Default: found in the request. */
  metered?: Metered;
  /** The owners of the ids that the request names. */
  idOwners?: IdOwners | undefined;
  /** The most output tokens of a request without a limit, where all that it can cost is held. Default: the model's. */
  outputTokens?: number | undefined;
}

const none: readonly string[] = [];

/** Members with options for a router: this service, or for `provider` a provider that is one too. */
export const routerMembers: readonly string[] = ["provider", "models"];

/**
 * Plans one request for any entry. Refuses what the entry's model does not accept, losses that the caller does not
 * allow, and what the entry cannot be charged for.
 */
export class TextPlanner {
  readonly #ask: TextAsk;
  readonly #options: PlanOptions;
  readonly #request: CallerRequest<Payload>;
  readonly #library: LibraryOptions;

  constructor(
    ask: TextAsk,
    options: PlanOptions = {},
    request = new CallerRequest<Payload>(ask, routerMembers),
  ) {
    this.#ask = ask;
    this.#options = options;
    this.#request = request;
    this.#library = {
      capabilityCheck: textCheck,
      others: () => modelsThatMake("text", options.catalog),
      rules: lossRulesOf(options),
      check: rejectNested,
    };
  }

  /** Lets go of the request, since it is planned for no other entry. */
  forget(): void {
    this.#ask.body.forget();
    this.#request.forget();
  }

  plan<Of extends Resolution>(resolution: Of): Plan<Of> {
    const ask = this.#ask;
    const { preferences, providers = new Map(), idOwners, outputTokens } = this.#options;
    ask.check?.(resolution);
    const { entry, provider, protocol, learnt } = resolution;
    const isRouter = provider.routes === true;
    const platform = provider.speaks[protocol]?.platform;
    const target = {
      codec: ask.body.protocols.codecs[protocol],
      model: entry.name,
      traits: traitsOf(entry, provider, protocol, learnt),
      learnt: learnt && learntSteps(resolution, learnt),
      capabilities: entry.capabilities,
      outputTokens,
      edits: platform && platformEdits(platform, ask.betas),
      reserved: isRouter ? { provider: forwarded(ask.body.value.provider, providers) } : undefined,
    };
    const forwardsPreferences = isRouter && protocol === ask.codec.protocol;
    const isUnknown = preferences !== undefined && preferences.unknown.length > 0 && !forwardsPreferences;
    const lost = isUnknown ? unknownPreferences(preferences) : undefined;
    const planned = planRequest(this.#request, target, lost ? { ...this.#library, lost } : this.#library);
    if (planned instanceof Rejection) throw refusalOf(planned);
    const { wire, upstream } = planned;
    const metered = wire
      ? inspect(upstream.billing, wire, ask.betas)
      : (this.#options.metered ?? inspectAsk(ask));
    if (metered !== nothingMetered) {
      refuseUnpriced(metered, { ...resolution, model: ask.model });
      refuseForeign(metered, resolution, idOwners);
    }
    const endpoint = endpointOf(resolution, upstream, ask.stream);
    const hints = planned.notes.length > 0 ? planned.notes.map(toHint) : none;
    return { ...planned, resolution, endpoint, metered, hints };
  }
}

/** Finds the items of the caller's request that are billed in addition to tokens. */
export const inspectAsk = ({ codec, body, betas }: TextAsk): Metered =>
  inspect(codec.billing, body.value, betas);
