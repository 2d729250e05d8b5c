import type { Loss } from "@manifold-gateway/core";
import {
  type EmbedCodec,
  type EmbedRequest,
  type EmbedSource,
  embedOperation,
  operationEndpoint,
  planEmbed,
} from "@manifold-gateway/core/embeddings";
import { demandLosses, Rejection } from "@manifold-gateway/core/plan";
import type { Planner } from "@manifold-gateway/providers/routing";
import type { CallPlan } from "../calls/call-candidates.ts";
import type { Candidate } from "../models/candidate.ts";
import type { AnyOptions } from "../options.ts";
import { refusedLosses } from "../text/plan-text.ts";

/** A request for embeddings ready to be sent to one candidate: its first call, and those after it. */
export interface EmbedCallPlan extends CallPlan {
  upstream: EmbedCodec;
  request: EmbedRequest;
  losses: readonly Loss[];
  more: readonly EmbedCallPlan[];
}

/** Plans one request for embeddings for any candidate. */
export class EmbedPlanner implements Planner<EmbedCallPlan, Candidate> {
  readonly #source: EmbedSource;
  readonly #options: AnyOptions;

  constructor(source: EmbedSource, options: AnyOptions) {
    this.#source = source;
    this.#options = options;
  }

  plan(candidate: Candidate): EmbedCallPlan {
    const { entry, provider, protocol } = candidate;
    const endpoint = operationEndpoint(embedOperation, provider, protocol);
    const upstream = endpoint.upstream as EmbedCodec;
    const capabilities = this.#options.check === false ? undefined : entry.capabilities;
    const planned = planEmbed(this.#source, { codec: upstream, model: entry.name, capabilities });
    if (planned instanceof Rejection) throw planned;
    const { model } = this.#source;
    const losses = demandLosses(planned.lost, { model, rules: refusedLosses(this.#options) });
    if (losses instanceof Rejection) throw losses;
    const { origin, base, provider: served } = endpoint;
    const [first, ...more] = planned.calls.map(
      ({ path, value }): EmbedCallPlan => ({
        resolution: candidate,
        place: { origin, path: base + path, provider: served },
        body: JSON.stringify(value),
        stream: false,
        upstream,
        request: planned.request,
        losses,
        more: [],
      }),
    ) as [EmbedCallPlan, ...EmbedCallPlan[]];
    return { ...first, more };
  }
}
