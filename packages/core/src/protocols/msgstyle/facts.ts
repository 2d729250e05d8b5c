import type { WireFacts } from "../../codec/wire-facts.ts";

export const facts: WireFacts = {
  letter: "m",
  system: ["system"],
  turns: ["messages"],
  bound: ["signature", "cache_control"],
  cacheMark: "cache_control",
  midEfforts: true,
  files: { url: "address", file_id: "id", data: "typedBase64" },
  mediaTypes: ["media_type"],
  pictures: ["image"],
  toolData: ["input_schema", "schema"],
  toolValues: { input: ({ type }) => typeof type === "string" && type.endsWith("tool_use") },
  essential: [],
  spellings: {
    tools: ["tools"],
    toolChoice: ["tool_choice"],
    parallelToolCalls: ["tool_choice.disable_parallel_tool_use", "tool_choice"],
    responseFormat: ["output_config.format", "output_format"],
    reasoningEffort: ["output_config.effort"],
    thinking: ["thinking"],
    "thinking.budgetTokens": ["thinking.budget_tokens"],
    includeReasoning: ["thinking.display", "thinking"],
  },
};
