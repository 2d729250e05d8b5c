import type { SpeechModelV4, SpeechModelV4Result } from "@ai-sdk/provider";
import { toCallError, toStreamError } from "./errors.ts";
import type { Send } from "./send.ts";
import { toWarning } from "./warnings.ts";
import { NAMESPACE, toWire } from "./wire.ts";

/** A speech model of the AI SDK that calls the targets of a model's name. */
export const speechModel = (modelId: string, send: Send): SpeechModelV4 => ({
  specificationVersion: "v4",
  provider: NAMESPACE,
  modelId,

  async doGenerate(options): Promise<SpeechModelV4Result> {
    const wire = { ...toWire(options), model: modelId };
    const warnings: SpeechModelV4Result["warnings"] = [];
    // Models speak the language of the text.
    if (options.language !== undefined && options.language !== "auto")
      warnings.push({ type: "unsupported", feature: "language" });
    const response = await send("speech", wire, options, (loss) => void warnings.push(toWarning(loss)));
    if (!response.ok) throw await toCallError(response, modelId, wire);
    const headers = Object.fromEntries(response.headers);
    return {
      audio: await wholeAudio(response, modelId, wire),
      warnings,
      response: { timestamp: new Date(), modelId, headers },
    };
  },
});

/** The audio of an answer. One that breaks off is an error. */
async function wholeAudio(response: Response, model: string, values: unknown): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    throw toStreamError({ message: error instanceof Error ? error.message : String(error) }, model, values);
  }
}
