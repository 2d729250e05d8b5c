import type { WireFacts } from "../../codec/wire-facts.ts";
import { isObject, toText } from "../../json/json.ts";

/** Items that stand for a conversation which only their vendor can read, or that demand one. */
const compacted: ReadonlySet<string> = new Set(["compaction", "compaction_summary", "compaction_trigger"]);

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
  essential: ["previous_response_id", "conversation", "prompt"],
  essentialItem({ type, id }) {
    // A result whose call is missing answers nothing, so that the model would call again and again.
    if ((type ?? "item_reference") === "item_reference")
      return /^(msg|rs|ws)_/.test(toText(id))
        ? undefined
        : "references to stored calls; send the calls themselves";
    return compacted.has(toText(type)) ? `items of the type ${type}` : undefined;
  },
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
