import {
  type CallerRequest,
  type CapabilityCheck,
  MissingDialect,
  planRequest,
  Rejection,
  type RequestPlan,
  type RequestTarget,
} from "@manifold-gateway/core/plan";
import { platformEdits } from "@manifold-gateway/providers/provider";
import { learntSteps, type Planner, traitsOf } from "@manifold-gateway/providers/routing";
import type { CallPlan } from "../calls/call-candidates.ts";
import type { TextCandidate } from "../models/candidate.ts";
import type { AnyOptions } from "../options.ts";
import { ClientRefusal } from "../reply/failure.ts";

/** A text request ready to be sent to one candidate. */
export interface TextPlan extends RequestPlan, CallPlan {
  resolution: TextCandidate;
  body: string;
}

/** The words for errors about losses that the options refuse. */
export const refusedLosses = ({ losses }: Pick<AnyOptions, "losses">) =>
  losses === "refuse" ? { all: 'the option `losses` is "refuse"' } : undefined;

/** Plans one text request for any candidate. */
export class TextPlanner implements Planner<TextPlan, TextCandidate> {
  readonly #request: CallerRequest;
  readonly #options: AnyOptions;
  readonly #check: CapabilityCheck | undefined;
  /** Replies are decoded and encoded in any case. */
  readonly #rewritten: boolean;
  readonly #betas: readonly string[];

  constructor(
    request: CallerRequest,
    options: AnyOptions,
    {
      rewritten = false,
      check,
      betas = [],
    }: { rewritten?: boolean | undefined; check: CapabilityCheck | undefined; betas?: readonly string[] },
  ) {
    this.#request = request;
    this.#options = options;
    this.#check = check;
    this.#rewritten = rewritten;
    this.#betas = betas;
  }

  plan(candidate: TextCandidate): TextPlan {
    const { entry, provider, protocol, codec, learnt } = candidate;
    const { base = "", platform } = provider.speaks[protocol] ?? {};
    const target = {
      codec,
      model: entry.name,
      traits: traitsOf(entry, provider, protocol, learnt),
      learnt: learnt && learntSteps(candidate, learnt),
      capabilities: this.#check && entry.capabilities,
      edits: platform && platformEdits(platform, this.#betas),
    };
    const planned = this.#planFor(target);
    if (planned instanceof Rejection) throw planned;
    const { stream = false } = this.#request.source;
    const path = base + (platform ?? planned.upstream).endpoint(encodeURIComponent(entry.name), stream);
    const translated = planned.translated || this.#rewritten;
    return {
      ...planned,
      translated,
      resolution: candidate,
      place: { provider, origin: provider.origin, path },
      stream,
    };
  }

  #planFor(target: RequestTarget): RequestPlan | Rejection {
    const rules = refusedLosses(this.#options);
    try {
      return planRequest(this.#request, target, { capabilityCheck: this.#check, rules });
    } catch (error) {
      if (!(error instanceof MissingDialect)) throw error;
      throw new ClientRefusal(
        400,
        "missing_dialect",
        "The client is made without what translates JSON Schemas, those of tools and of the answer: pass the option `dialect`.",
      );
    }
  }
}
