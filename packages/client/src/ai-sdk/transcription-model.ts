import type { TranscriptionModelV4, TranscriptionModelV4Result } from "@ai-sdk/provider";
import { fromBase64 } from "../base64.ts";
import { toCallError } from "./errors.ts";
import type { Send } from "./send.ts";
import { toWarning } from "./warnings.ts";
import { NAMESPACE, toWire } from "./wire.ts";

type Body = Pick<
  TranscriptionModelV4Result,
  "text" | "segments" | "words" | "language" | "durationInSeconds" | "usage"
>;

/** A transcription model of the AI SDK that calls the targets of a model's name. */
export const transcriptionModel = (modelId: string, send: Send): TranscriptionModelV4 => ({
  specificationVersion: "v4",
  provider: NAMESPACE,
  modelId,

  async doGenerate({ audio, ...options }): Promise<TranscriptionModelV4Result> {
    const bytes = typeof audio === "string" ? fromBase64(audio) : audio;
    const { recordingOf } = await import("../transcription/recording.ts");
    const { recording, facts } = recordingOf(bytes, { name: "audio", type: options.mediaType });
    const wire = { ...toWire(options), model: modelId, file: { ...facts, at: "/audio" } };
    const warnings: TranscriptionModelV4Result["warnings"] = [];
    const onLoss: Parameters<Send>[3] = (loss) => void warnings.push(toWarning(loss));
    const response = await send("transcription", wire, { ...options, recording }, onLoss);
    if (!response.ok) throw await toCallError(response, modelId, wire);
    const body = (await response.json()) as Body;
    const { text, segments, words, language, durationInSeconds, usage } = body;
    return {
      ...{ text, segments, language, durationInSeconds },
      ...(words && { words }),
      ...(usage && { usage }),
      warnings,
      response: { timestamp: new Date(), modelId, headers: Object.fromEntries(response.headers), body },
    };
  },
});
