import { bothCasings } from "../../codec/snake-case.ts";
import type { WireFacts } from "../../codec/wire-facts.ts";

const called = /^function_?[Cc]all$/;
const answered = /^function_?[Rr]esponse$/;

export const facts: WireFacts = {
  letter: "g",
  sealBytes: true,
  system: bothCasings(["systemInstruction"]),
  turns: ["contents"],
  bound: bothCasings(["thoughtSignature"]),
  files: { fileUri: "address", file_uri: "address", data: "typedBase64" },
  mediaTypes: bothCasings(["mimeType"]),
  pictures: [],
  toolData: ["args", "response", "parameters", "parametersJsonSchema"],
  toolValues: {
    args: (_, within) => called.test(within),
    partialArgs: (_, within) => called.test(within),
    response: (_, within) => answered.test(within),
  },
  essential: ["cachedContent"],
  neutral: {
    "generationConfig/audioTimestamp": [false],
    "generationConfig/enableEnhancedCivicAnswers": [false],
    "generationConfig/mediaResolution": ["MEDIA_RESOLUTION_UNSPECIFIED"],
    safetySettings: [[]],
    store: [false],
    "toolConfig/functionCallingConfig/streamFunctionCallArguments": [false],
  },
  spellings: {
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
};
