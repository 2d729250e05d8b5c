import type { BillingFacts } from "../../codec/billing-facts.ts";
import { paramFields } from "../../codec/params.ts";
import { toCount } from "../../ir/index.ts";
import { type Json, textOf, toArray, toObject } from "../../json/json.ts";
import { params } from "./params.ts";

const modes = ["service_tier", "speed", "inference_geo"] as const;

/** The bill of messages: modes and hosted tools stand in the usage of a reply. */
export const billing: BillingFacts = {
  members: [
    ...paramFields(params),
    "cache_control",
    "container",
    "context_management",
    "inference_geo",
    "mcp_servers",
    "messages",
    "model",
    "models",
    "output_config",
    "output_format",
    "plugins",
    "preset",
    "provider",
    "route",
    "speed",
    "stream",
    "system",
    "thinking",
    "thread",
    "tool_choice",
    "tools",
  ],
  limits: [["max_tokens"], ["max_output_tokens"], ["max_completion_tokens"], ["thinking", "budget_tokens"]],
  alternatives: [],
  modes: {
    service_tier: ["auto", "standard_only", "standard", "batch"],
    speed: ["standard"],
    inference_geo: ["global", "not_available"],
  },
  betas: [
    ["fast-mode", "speed", "fast"],
    ["context-1m", "context", "1m"],
  ],
  tools: [
    // Without a type it is a function. The others here are run by the client, or paid by the tokens that they add.
    [/^(|custom|mcp_toolset)$/, "free"],
    [/^(bash|text_editor|computer|memory|web_fetch|tool_search_tool\w*)_\d+$/, "free"],
    [/^web_search_\d+$/, ["webSearches"]],
    [/^code_execution_\d+$/, ["codeSessions"]],
  ],
  callLimits: { tool: "max_uses" },
  ids: [
    { path: ["container"] },
    { path: ["container", "id"] },
    { path: ["thread"] },
    { path: ["thread", "id"] },
    { path: ["messages", "*", "content", "*", "file_id"] },
    { path: ["messages", "*", "content", "*", "source", "file_id"] },
    { path: ["messages", "*", "content", "*", "content", "*", "source", "file_id"] },
  ],
  billed(chunk) {
    const message = toObject(chunk.message ?? chunk.delta ?? chunk);
    const usage = toObject(chunk.usage ?? message.usage);
    const model = textOf(message.model);
    const modeEntries = modes.flatMap((mode) => {
      const value = textOf(usage[mode]);
      return value === undefined ? [] : [[mode, value] as const];
    });
    const used = toObject(usage.server_tool_use);
    const container = textOf(toObject(message.container).id);
    const searches = toCount(used.web_search_requests);
    const ids = [container, textOf(toObject(message.thread).id), ...filesIn(message.content)];
    const known = ids.filter((id) => id !== undefined);
    return {
      ...(model !== undefined && { model }),
      ...(modeEntries.length > 0 && { modes: Object.fromEntries(modeEntries) }),
      calls: {
        ...(searches !== undefined && { webSearches: searches }),
        ...(container !== undefined && { codeSessions: 1 }),
      },
      ...(known.length > 0 && { ids: known }),
    };
  },
};

/** The ids of files that code run by the vendor has left. */
const filesIn = (content: Json | undefined): string[] =>
  toArray(content).flatMap((block) =>
    toArray(toObject(toObject(block).content).content).flatMap(
      (file) => textOf(toObject(file).file_id) ?? [],
    ),
  );
