// Embeddings by the protocols that have them, without the media of /operations, whose schemas load zod.

export {
  callsOf,
  checkEmbed,
  type EmbedBytes,
  type EmbedCodec,
  type EmbedPart,
  type EmbedPlan,
  type EmbedPlanOptions,
  type EmbedReply,
  type EmbedRequest,
  type EmbedSource,
  type EmbedTarget,
  type EmbedUsage,
  embedCodecs,
  embedOperation,
  embedWires,
  estimateEmbed,
  fetchesOf,
  inlineEmbed,
  joinEmbed,
  planEmbed,
  shortfall,
  takesOf,
} from "./operations/embed/index.ts";
export {
  type OperationEndpoint,
  type OperationProvider,
  type OperationWires,
  operationEndpoint,
  separateProtocol,
} from "./operations/endpoint.ts";
