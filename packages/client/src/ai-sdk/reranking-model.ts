import type { RerankingModelV4, RerankingModelV4Result } from "@ai-sdk/provider";
import { toCallError } from "./errors.ts";
import type { Send } from "./send.ts";
import { toWarning } from "./warnings.ts";
import { NAMESPACE, toWire } from "./wire.ts";

/** A reranking model of the AI SDK that calls the targets of a model's name. */
export const rerankingModel = (modelId: string, send: Send): RerankingModelV4 => ({
  specificationVersion: "v4",
  provider: NAMESPACE,
  modelId,

  async doRerank(options): Promise<RerankingModelV4Result> {
    const wire = { ...toWire(options), model: modelId };
    const warnings: NonNullable<RerankingModelV4Result["warnings"]> = [];
    if (options.documents.type === "object")
      warnings.push({ type: "compatibility", feature: "documents", details: "objects are compared as JSON" });
    const response = await send("rerank", wire, options, (loss) => void warnings.push(toWarning(loss)));
    if (!response.ok) throw await toCallError(response, modelId, wire);
    const body = (await response.json()) as Pick<RerankingModelV4Result, "ranking"> & { modelId?: string };
    const { ranking, modelId: answered } = body;
    const headers = Object.fromEntries(response.headers);
    return {
      ranking,
      warnings,
      response: { headers, body, ...(answered !== undefined && { modelId: answered }) },
    };
  },
});
