import type { WireFacts } from "../../codec/wire-facts.ts";

export const facts: WireFacts = {
  letter: "c",
  system: [],
  turns: ["messages"],
  bound: ["reasoning_details", "signature", "cache_control", "prompt_cache_key"],
  files: {
    url: "address",
    image_url: "address",
    file_url: "address",
    file_id: "id",
    data: "typedBase64",
    file_data: "base64",
  },
  mediaTypes: ["format"],
  pictures: ["image_url"],
  toolData: ["arguments", "parameters", "schema"],
  toolValues: { arguments: ({ name }) => typeof name === "string" },
  essential: [],
  neutral: {
    // What models of other wires that speak answer with.
    "audio/format": ["pcm16"],
    best_of: [1],
    echo: [false],
    "stream_options/include_obfuscation": [false],
    // A router's own; it counts in any case.
    "usage/include": [true, false],
  },
  spellings: {
    tools: ["tools", "functions"],
    toolChoice: ["tool_choice", "function_call"],
    parallelToolCalls: ["parallel_tool_calls"],
    responseFormat: ["response_format"],
    reasoningEffort: ["reasoning_effort", "reasoning.effort", "reasoning"],
    thinking: [
      ...["thinking", "reasoning", "reasoning_effort", "enable_thinking"],
      ...["chat_template_kwargs.enable_thinking", "chat_template_kwargs.thinking"],
    ],
    "thinking.budgetTokens": ["thinking.budget_tokens", "reasoning.max_tokens", "thinking_budget"],
    includeReasoning: ["include_reasoning", "reasoning", "thinking"],
    webSearchOptions: ["web_search_options"],
  },
};
