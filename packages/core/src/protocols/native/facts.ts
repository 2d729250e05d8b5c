import type { WireFacts } from "../../codec/wire-facts.ts";

export const facts: WireFacts = {
  letter: "n",
  system: [],
  turns: ["messages"],
  bound: [],
  files: {},
  mediaTypes: ["mediaType"],
  pictures: [],
  toolData: ["parameters"],
  toolValues: {},
  essential: [],
  neutral: { structuredOutputs: [false] },
  spellings: {
    tools: ["tools"],
    toolChoice: ["toolChoice"],
    parallelToolCalls: ["parallelToolCalls"],
    responseFormat: ["responseFormat"],
    reasoningEffort: ["reasoningEffort"],
    thinking: ["thinking"],
    includeReasoning: ["includeReasoning"],
    webSearchOptions: ["webSearchOptions"],
    structuredOutputs: ["structuredOutputs"],
    "thinking.budgetTokens": ["thinking.budgetTokens"],
  },
};
