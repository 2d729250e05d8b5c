import type { ImageModelV4, ImageModelV4Result } from "@ai-sdk/provider";
import { toCallError } from "./errors.ts";
import type { ImageBody } from "./image-codec.ts";
import type { Send } from "./send.ts";
import { toWarning } from "./warnings.ts";
import { NAMESPACE, toWire } from "./wire.ts";

/** Options of the interface that the canonical request has no member for. */
const unsupported = ["aspectRatio", "seed", "mask"] as const;

/** An image model of the AI SDK that calls the targets of a model's name. */
export const imageModel = (modelId: string, send: Send): ImageModelV4 => ({
  specificationVersion: "v4",
  provider: NAMESPACE,
  modelId,
  // Models differ, so there is one call for each picture unless the caller says otherwise.
  maxImagesPerCall: undefined,

  async doGenerate(options): Promise<ImageModelV4Result> {
    const wire = { ...toWire(options), model: modelId };
    const warnings: ImageModelV4Result["warnings"] = unsupported
      .filter((name) => options[name] !== undefined)
      .map((feature) => ({ type: "unsupported", feature }));
    const response = await send("image", wire, options, (loss) => void warnings.push(toWarning(loss)));
    if (!response.ok) throw await toCallError(response, modelId, wire);
    const { images, details, usage } = (await response.json()) as ImageBody;
    return {
      images,
      warnings,
      providerMetadata: { [NAMESPACE]: { images: details } },
      response: { timestamp: new Date(), modelId, headers: Object.fromEntries(response.headers) },
      usage: {
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        totalTokens: usage.totalTokens,
      },
    };
  },
});
