import type { BillingFacts } from "../../codec/billing-facts.ts";
import { paramFields } from "../../codec/params.ts";
import { toCount } from "../../ir/index.ts";
import { isObject, textOf, toObject } from "../../json/json.ts";
import { params } from "./params.ts";

/** The bill of chat completions: the vendor's own members, and those that other servers of the wire read. */
export const billing: BillingFacts = {
  members: [
    ...paramFields(params),
    "best_of",
    "function_call",
    "functions",
    "max_new_tokens",
    "max_output_tokens",
    "messages",
    "min_tokens",
    "model",
    "models",
    "n_predict",
    "parallel_tool_calls",
    "plugins",
    "prediction",
    "preset",
    "prompt_cache_retention",
    "provider",
    "reasoning",
    "reasoning_effort",
    "response_format",
    "route",
    "stream",
    "stream_options",
    "thinking",
    "tool_choice",
    "tools",
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
    { path: ["messages", "*", "content", "*", "file", "file_id"] },
    { path: ["messages", "*", "audio", "id"] },
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
