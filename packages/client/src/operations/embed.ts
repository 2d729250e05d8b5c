import {
  type EmbedCodec,
  type EmbedReply,
  type EmbedRequest,
  embedCodecs,
  embedOperation,
  joinEmbed,
  planEmbed,
  shortfall,
} from "@manifold-gateway/core/embeddings";
import { serveOperation } from "./serve.ts";

/** Creates embeddings: one vector for each input. */
export const createEmbeddings = serveOperation<EmbedRequest, EmbedReply, EmbedCodec>({
  noun: "embeddings",
  wires: embedOperation,
  callerCodec: ({ embedCodec, codec }) => embedCodec ?? (embedCodecs[codec.protocol] as EmbedCodec),
  plan: planEmbed,
  join: joinEmbed,
  shortfall: (request, reply) => shortfall(request, reply)?.message,
  usage({ usage }) {
    if (!usage) return undefined;
    const { videoInput: _, ...tokens } = usage;
    return { ...tokens, output: 0 };
  },
});
