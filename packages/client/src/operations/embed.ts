import {
  type EmbedCodec,
  type EmbedReply,
  type EmbedRequest,
  embedOperation,
  fullEmbedCodecs,
  joinEmbed,
  noEmbedLimits,
  planEmbed,
  shortfall,
} from "@manifold-gateway/core/embeddings";
import { serveOperation } from "./serve.ts";

/** Creates embeddings: one vector for each input. */
export const createEmbeddings = serveOperation<EmbedRequest, EmbedReply, EmbedCodec>({
  noun: "embeddings",
  wires: embedOperation,
  callerCodec: ({ embedCodec, codec }) => embedCodec ?? (fullEmbedCodecs[codec.protocol] as EmbedCodec),
  // Which models embed what is not known here: their providers refuse it.
  plan: (source, target) => planEmbed(source, { ...target, limits: noEmbedLimits }),
  join: joinEmbed,
  shortfall: (request, reply) => shortfall(request, reply)?.message,
  usage({ usage }) {
    if (!usage) return undefined;
    const { videoInput: _, ...tokens } = usage;
    return { ...tokens, output: 0 };
  },
});
