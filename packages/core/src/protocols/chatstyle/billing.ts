import type { BillingFacts } from "../../codec/billing-facts.ts";
import { toCount } from "../../ir/index.ts";
import { isObject, textOf, toObject } from "../../json/json.ts";

/** The bill of chat completions: the vendor's own members, and those that other servers of the wire read. */
export const billing: BillingFacts = {
  members: [
    "audio",
    "best_of",
    "frequency_penalty",
    "function_call",
    "functions",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_new_tokens",
    "max_output_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "min_tokens",
    "modalities",
    "model",
    "models",
    "n",
    "n_predict",
    "parallel_tool_calls",
    "plugins",
    "prediction",
    "presence_penalty",
    "preset",
    "prompt_cache_key",
    "prompt_cache_retention",
    "provider",
    "reasoning",
    "reasoning_effort",
    "response_format",
    "route",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
    "web_search_options",
  ],
  limits: [
    ["max_completion_tokens"],
    ["max_tokens"],
    ["max_output_tokens"],
    ["max_new_tokens"],
    ["n_predict"],
    ["min_tokens"],
    ["reasoning", "max_tokens"],
    ["thinking", "budget_tokens"],
  ],
  alternatives: [["n"], ["best_of"]],
  modes: { service_tier: ["auto", "default", "standard"], speed: ["standard"] },
  tools: [[/^(function|custom)$/, "free"]],
  toolMembers: {
    web_search_options: "webSearches",
    search_parameters: "webSearches",
    enable_search: "webSearches",
  },
  ids: [
    { path: ["messages", "*", "content", "*", "file", "file_id"], mark: "file_id" },
    { path: ["messages", "*", "audio", "id"], mark: '"audio"' },
  ],
  billed(chunk) {
    const tier = textOf(chunk.service_tier);
    const model = textOf(chunk.model);
    const used = toObject(toObject(chunk.usage).server_tool_use);
    const searches = toCount(used.web_search_requests);
    const [choice] = Array.isArray(chunk.choices) ? chunk.choices : [];
    const message = toObject(toObject(choice).message ?? toObject(choice).delta);
    const audio = isObject(message.audio) ? textOf(message.audio.id) : undefined;
    return {
      ...(model !== undefined && { model }),
      ...(tier !== undefined && { modes: { service_tier: tier } }),
      ...(searches !== undefined && { calls: { webSearches: searches } }),
      ...(audio !== undefined && { ids: [audio] }),
    };
  },
};
