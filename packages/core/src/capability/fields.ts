import { listedParams } from "../ir/params.ts";
import type { Operation } from "./terms.ts";

/** Settings of a text request that are objects or lists, and so are in no table of parameters. */
export const structured = [
  "tools",
  "toolChoice",
  "parallelToolCalls",
  "responseFormat",
  "reasoningEffort",
  "thinking",
  "includeReasoning",
  "webSearchOptions",
] as const;
export type Structured = (typeof structured)[number];

/** The parameters of each operation, as the native interface calls them: those that a model may fail to support. */
export const knownParams: Record<Operation, readonly string[]> = {
  text: [...listedParams, ...structured, "structuredOutputs"],
  image: [
    "size",
    "numberOfImages",
    "guidanceScale",
    "outputFormat",
    "quality",
    "background",
    "outputCompression",
    "responseFormat",
    "watermark",
    "optimizePromptOptions",
    "maxTokens",
  ],
  video: [
    "duration",
    "resolution",
    "ratio",
    "generateAudio",
    "seed",
    "watermark",
    "cameraFixed",
    "maxTokens",
  ],
  speech: [
    "voiceType",
    "text",
    "textPrompt",
    "references",
    "format",
    "sampleRate",
    "speechRate",
    "loudnessRate",
    "pitch",
    "pitchRate",
    "silenceDuration",
    "enableLanguageDetector",
    "explicitLanguage",
    "disableMarkdownFilter",
    "disableEmojiFilter",
    "contextTexts",
    "enableSubtitle",
    "speed",
    "instructions",
    "streamFormat",
  ],
  embed: ["dimensions"],
  transcription: [
    "task",
    "responseFormat",
    "language",
    "languages",
    "prompt",
    "keywords",
    "temperature",
    "timestampGranularities",
    "include",
    "chunkingStrategy",
    "knownSpeakerNames",
    "knownSpeakerReferences",
    "stream",
  ],
  rerank: ["topN", "rankFields", "maxTokensPerDocument", "maxChunksPerDocument"],
  moderation: [],
};

/** All settings that the facts of a wire spell, also members of settings, and those that only one wire has. */
export const spelled = [...structured, "structuredOutputs", "thinking.budgetTokens"] as const;
export type Spelled = (typeof spelled)[number];

/** Checks whether a name is one of those above. */
export const isKnown = (operation: Operation, name: string): boolean => knownParams[operation].includes(name);
