import type { Protocol } from "../ir/part.ts";
import type { Operation } from "./schema.ts";

/** The parameters of each operation, as the native interface calls them: those that a model may fail to support. */
export const knownParams: Record<Operation, readonly string[]> = {
  text: [
    "maxTokens",
    "temperature",
    "topP",
    "topK",
    "minP",
    "topA",
    "stop",
    "seed",
    "presencePenalty",
    "frequencyPenalty",
    "repetitionPenalty",
    "logprobs",
    "topLogprobs",
    "logitBias",
    "candidates",
    "verbosity",
    "tools",
    "toolChoice",
    "parallelToolCalls",
    "responseFormat",
    "structuredOutputs",
    "reasoningEffort",
    "thinking",
    "includeReasoning",
    "webSearchOptions",
  ],
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
  ],
  embed: ["dimensions"],
};

/** Asks of a text request that are no scalars, and so stand in no table of parameters. */
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

/** Everything that the table below spells: also members of wishes, and what only one wire asks by itself. */
export const spelled = [...structured, "structuredOutputs", "thinking.budgetTokens"] as const;
type Spelled = (typeof spelled)[number];

/** Where each protocol says them; of several places the first that a request has. */
export const spellings: Record<Protocol, { readonly [Name in Spelled]?: readonly string[] }> = {
  chatstyle: {
    tools: ["tools", "functions"],
    toolChoice: ["tool_choice", "function_call"],
    parallelToolCalls: ["parallel_tool_calls"],
    responseFormat: ["response_format"],
    reasoningEffort: ["reasoning_effort"],
    thinking: ["reasoning_effort"],
    includeReasoning: ["include_reasoning"],
    webSearchOptions: ["web_search_options"],
  },
  responses: {
    tools: ["tools"],
    toolChoice: ["tool_choice"],
    parallelToolCalls: ["parallel_tool_calls"],
    responseFormat: ["text.format"],
    reasoningEffort: ["reasoning.effort"],
    thinking: ["reasoning.effort", "reasoning"],
    includeReasoning: ["reasoning.summary", "reasoning"],
  },
  msgstyle: {
    tools: ["tools"],
    toolChoice: ["tool_choice"],
    parallelToolCalls: ["tool_choice.disable_parallel_tool_use", "tool_choice"],
    responseFormat: ["output_config.format", "output_format"],
    reasoningEffort: ["output_config.effort"],
    thinking: ["thinking"],
    "thinking.budgetTokens": ["thinking.budget_tokens"],
    includeReasoning: ["thinking.display", "thinking"],
  },
  genstyle: {
    tools: ["tools"],
    toolChoice: ["toolConfig"],
    responseFormat: [
      "generationConfig.responseJsonSchema",
      "generationConfig.responseSchema",
      "generationConfig.responseMimeType",
    ],
    reasoningEffort: ["generationConfig.thinkingConfig.thinkingLevel"],
    thinking: ["generationConfig.thinkingConfig.thinkingBudget", "generationConfig.thinkingConfig"],
    "thinking.budgetTokens": ["generationConfig.thinkingConfig.thinkingBudget"],
    includeReasoning: ["generationConfig.thinkingConfig.includeThoughts"],
  },
  native: Object.fromEntries(spelled.map((name) => [name, [name]])),
};

/** Whether a name is one of those above. */
export const isKnown = (operation: Operation, name: string): boolean => knownParams[operation].includes(name);
