import type { EmbeddingModelV4, EmbeddingModelV4Result } from "@ai-sdk/provider";
import { toCallError } from "./errors.ts";
import type { Send } from "./send.ts";
import { toWarning } from "./warnings.ts";
import { NAMESPACE, toWire } from "./wire.ts";

/** The most values of one call; a provider that takes fewer is called several times. */
const MOST = 128;

/** An embedding model of the AI SDK that calls the targets of a model's name. */
export const embeddingModel = (modelId: string, send: Send): EmbeddingModelV4 => ({
  specificationVersion: "v4",
  provider: NAMESPACE,
  modelId,
  maxEmbeddingsPerCall: MOST,
  supportsParallelCalls: true,

  async doEmbed(options): Promise<EmbeddingModelV4Result> {
    const wire = { ...toWire(options), model: modelId };
    const warnings: EmbeddingModelV4Result["warnings"] = [];
    const response = await send("embedding", wire, options, (loss) => void warnings.push(toWarning(loss)));
    if (!response.ok) throw await toCallError(response, modelId, wire);
    const body = (await response.json()) as Pick<
      EmbeddingModelV4Result,
      "embeddings" | "usage" | "providerMetadata"
    >;
    return { ...body, warnings, response: { headers: Object.fromEntries(response.headers), body } };
  },
});
