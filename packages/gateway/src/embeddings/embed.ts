import {
  type EmbedCodec,
  type EmbedPlan,
  type EmbedReply,
  type EmbedRequest,
  type EmbedUsage,
  embedLimitsOf,
  embedOperation,
  estimateEmbed,
  joinEmbed,
  planEmbed,
  shortfall,
} from "@manifold-gateway/core/operations";
import type { Operation, OperationAsk } from "../operations/operation.ts";
import { answerWhole } from "../operations/whole-reply.ts";
import type { Used } from "../ports/billing.ts";
import { type Gathered, gatherEmbed, withGathered } from "./fetch-parts.ts";

/** A request for embeddings. */
export interface EmbedAsk extends OperationAsk<EmbedCodec> {
  /** The fetched and measured media. */
  gathered?: Gathered;
}

const nothing: Gathered = { bytes: new Map(), seconds: new Map() };

const toUsed = (usage: EmbedUsage & { estimated?: boolean }): Used & EmbedUsage => ({ ...usage, output: 0 });

/** Embeddings, as an operation. */
export const embed: Operation<
  EmbedRequest,
  EmbedCodec,
  EmbedAsk,
  "billing" | "catalog" | "media" | "providers"
> = {
  wires: embedOperation,
  makes: "embed",
  modality: "text",
  observed: "embeddings",
  gather: async (context, ask) => ({ ...ask, gathered: await gatherEmbed(context, ask) }),
  plan: ({ gathered = nothing }, source, { candidate, ...target }, options) =>
    planEmbed(
      source,
      { ...target, limits: embedLimitsOf(candidate.model.inputModalities) },
      {
        ...options,
        adapt: (request, origins) => withGathered(request, target.codec, gathered, origins),
      },
    ),
  estimate: (plan: EmbedPlan, { candidate, codec }) =>
    toUsed(
      estimateEmbed(plan.request, plan, {
        ...embedLimitsOf(candidate.model.inputModalities),
        tokens: codec.tokens,
      }),
    ),
  pending: ({ gathered }, request) => pendingIn(gathered, request),
  reply: answerWhole<EmbedRequest, EmbedReply>({
    join: joinEmbed,
    shortfall: (request, reply) => shortfall(request, reply)?.message,
    usage: ({ usage }) => usage && toUsed(usage),
    withUsage: (reply, usage) => ({ ...reply, usage }),
  }),
};

/** The fields whose files would be fetched first. */
function pendingIn(gathered: Gathered | undefined, { inputs }: EmbedRequest): string[] {
  const { pending } = gathered ?? {};
  if (!pending) return [];
  return inputs.flatMap((input, i) =>
    "tokens" in input
      ? []
      : input.parts.flatMap((part, j) => {
          const field = pending.get(`/inputs/${i}/parts/${j}`);
          const inline = part.type === "media" && part.source.type === "base64";
          return inline && field !== undefined ? [`${field}: the file is fetched and sent inline.`] : [];
        }),
  );
}
