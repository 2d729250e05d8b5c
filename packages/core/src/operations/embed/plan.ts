import type { Rejection } from "../../plan/rejection.ts";
import type { Origins } from "../../translate/origins.ts";
import {
  type OperationPlan,
  type OperationPlanOptions,
  type OperationSource,
  type OperationTarget,
  planOperation,
} from "../plan.ts";
import { callsOf } from "./batch.ts";
import { checkEmbed, type EmbedKnown, type EmbedLimits } from "./check.ts";
import type { EmbedCodec } from "./codec.ts";
import type { EmbedRequest } from "./ir.ts";

/** A caller's request for embeddings. */
export interface EmbedSource extends OperationSource<EmbedRequest> {
  /** The caller's protocol. */
  codec: EmbedCodec;
}

/** A model of a provider, on the wire on which it embeds. */
export interface EmbedTarget extends OperationTarget<EmbedRequest> {
  /** The wire on which it embeds. */
  codec: EmbedCodec;
  /** What the model embeds. Default: text. */
  limits?: EmbedLimits | undefined;
}

/** Settings of `planEmbed`. */
export interface EmbedPlanOptions extends Pick<OperationPlanOptions<EmbedRequest>, "others"> {
  /** Changes the decoded request, such as by media that were fetched, and says what is known of its parts. */
  adapt?(request: EmbedRequest, origins: Origins): { request: EmbedRequest } & Pick<EmbedKnown, "seconds">;
}

/** A request for embeddings as calls of one provider. */
export interface EmbedPlan extends OperationPlan<EmbedRequest>, Pick<EmbedKnown, "seconds"> {}

/**
 * Plans a request for embeddings for one target, or rejects it with every rule that it breaks.
 *
 *     const { chatstyle, genstyle } = embedCodecs;
 *     const source = { codec: chatstyle, value: { model: "best", input: ["Hello"] }, model: "best" };
 *     const plan = planEmbed(source, { codec: genstyle, model: "some-model" });
 *     if (plan instanceof Rejection) throw plan; // code, errors, param
 *     plan.calls; // [{ path: "/models/some-model:batchEmbedContents", value: { requests: […] } }]
 */
export function planEmbed(
  source: EmbedSource,
  target: EmbedTarget,
  { others, adapt }: EmbedPlanOptions = {},
): EmbedPlan | Rejection {
  const limits = { ...target.limits, tokens: target.codec.tokens };
  let known: Pick<EmbedKnown, "seconds"> = {};
  const planned = planOperation(
    {
      operation: "embed",
      check: (request, origins) => checkEmbed(request, limits, { origins, ...known }),
      callsOf: (request) => callsOf(request, target.codec, target.maxInputs),
      contentAt,
    },
    source,
    target,
    {
      others,
      adapt:
        adapt &&
        ((decoded, origins) => {
          const { request, ...measured } = adapt(decoded, origins);
          known = measured;
          return request;
        }),
    },
  );
  return "calls" in planned ? { ...planned, ...known } : planned;
}

/** Describes the content at a path: without it, a vector would be of something else. */
function contentAt({ inputs }: EmbedRequest, path: string): string | undefined {
  const [, i, j] = /^\/inputs\/(\d+)(?:\/parts\/(\d+)$)?/.exec(path) ?? [];
  const input = inputs[Number(i)];
  if (!input) return undefined;
  if ("tokens" in input) return "token ids";
  const part = input.parts[Number(j)];
  return part?.type === "media" ? `${part.kind} by ${part.source.type}` : "this field";
}
