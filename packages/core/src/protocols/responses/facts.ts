import type { WireFacts } from "../../codec/wire-facts.ts";
import { isObject } from "../../json/json.ts";

export const facts: WireFacts = {
  letter: "r",
  system: ["instructions"],
  turns: ["input"],
  bound: ["encrypted_content", "prompt_cache_key"],
  refusesLastThoughts: true,
  files: { image_url: "address", file_url: "address", file_id: "id", file_data: "base64" },
  mediaTypes: [],
  pictures: ["image_url", "input_image"],
  toolData: ["arguments", "parameters", "schema"],
  toolValues: { output: ({ type, output }) => type === "function_call_output" && isObject(output) },
  essential: ["previous_response_id", "conversation"],
  essentialItems: ["compaction_trigger"],
  neutral: {
    background: [false],
    "stream_options/include_obfuscation": [false],
    truncation: ["disabled"],
  },
  spellings: {
    tools: ["tools"],
    toolChoice: ["tool_choice"],
    parallelToolCalls: ["parallel_tool_calls"],
    responseFormat: ["text.format"],
    reasoningEffort: ["reasoning.effort"],
    thinking: ["reasoning.effort", "reasoning"],
    includeReasoning: ["reasoning.summary", "reasoning"],
  },
};
