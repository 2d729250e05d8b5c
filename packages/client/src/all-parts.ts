import type { Parts } from "./parts.ts";
import { loadedCodecs } from "./protocols/loaded-codecs.ts";
import { allPresets } from "./providers/preset-source.ts";

const transcribe = async () => (await import("./transcription/transcribe.ts")).transcribeRecording;
const readRecording = async () => (await import("./transcription/read-form.ts")).readRecording;

/** All protocols, providers and operations; what not every program needs is loaded when it is first used. */
export const allParts: Parts = {
  codecs: loadedCodecs,
  presets: allPresets,
  check: async () => (await import("@manifold-gateway/core/check")).textCheck,
  async pricing() {
    const { costOf, modelOf } = await import("./catalog/index.ts");
    return { costOf, priceOf: (model) => modelOf(model)?.price };
  },
  adapt: async () => (await import("./text/adapt.ts")).adaptText,
  operations: {
    text: async () => (await import("./text/text.ts")).generateText,
    count: async () => (await import("./text/count.ts")).countTokens,
    embedding: async () => (await import("./operations/embed.ts")).createEmbeddings,
    rerank: async () => (await import("./operations/rerank.ts")).rerankDocuments,
    moderation: async () => (await import("./operations/moderate.ts")).moderateContents,
    speech: async () => (await import("./speech/speak.ts")).speakText,
    transcription: transcribe,
    translation: transcribe,
    image: async () => (await import("./images/images.ts")).generateImages,
  },
  readers: { transcription: readRecording, translation: readRecording },
};
