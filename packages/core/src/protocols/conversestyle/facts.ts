import type { WireFacts } from "../../codec/wire-facts.ts";

export const facts: WireFacts = {
  letter: "v",
  system: ["system"],
  turns: ["messages"],
  bound: ["signature", "redactedContent", "cachePoint"],
  cacheMark: "cachePoint",
  refusesLastThoughts: true,
  files: { uri: "id", bytes: "base64" },
  mediaTypes: ["format"],
  pictures: ["image"],
  toolData: ["inputSchema"],
  toolValues: {
    input: (_, within) => within === "toolUse",
    json: (_, within) => within === "content" || within === "toolResult",
  },
  essential: [],
  neutral: { "performanceConfig/latency": ["standard"], promptVariables: [{}] },
  spellings: {
    tools: ["toolConfig.tools"],
    toolChoice: ["toolConfig.toolChoice"],
    responseFormat: ["outputConfig.textFormat"],
    thinking: ["additionalModelRequestFields.thinking"],
    "thinking.budgetTokens": ["additionalModelRequestFields.thinking.budget_tokens"],
  },
};
