import type { Parts } from "./parts.ts";
import { loadedCodecs } from "./protocols/loaded-codecs.ts";
import { allPresets } from "./providers/preset-source.ts";

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
    image: async () => (await import("./images/images.ts")).generateImages,
  },
};
