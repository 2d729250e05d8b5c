import type { Head } from "../../codec/caller-codec.ts";
import type { ToolContext } from "../../family/schemas.ts";
import { ignoreLosses } from "../../ir/loss.ts";
import { booleanOf, type JsonObject, numberOf, textOf, toArray, toObject } from "../../json/json.ts";
import { encodeSettings } from "./encode-settings.ts";
import { plainText } from "./instructions.ts";
import type { Body } from "./schema.ts";

/** Writes settings with schemas unchanged, because a response repeats those of its request. */
const echoContext: ToolContext = {
  lose: ignoreLosses,
  traits: {},
  dialect: {
    strictViolation: () => undefined,
    isObjectSchema: () => true,
    normalizeSchema: toObject,
  },
};

/**
 * The response before any output. It repeats the settings of its request, or the defaults, because clients of the
 * wire read them there.
 */
export function openSnapshot({ id, model, created, request }: Head): Body {
  const settings: JsonObject = request ? encodeSettings(request, echoContext) : {};
  const first = request?.messages[0];
  const { effort, summary } = toObject(settings.reasoning);
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: created,
    status: "in_progress",
    background: false,
    completed_at: null,
    error: null,
    frequency_penalty: 0,
    incomplete_details: null,
    instructions: (first?.role === "system" && plainText(first)) || null,
    max_output_tokens: numberOf(settings.max_output_tokens) ?? null,
    max_tool_calls: numberOf(settings.max_tool_calls) ?? null,
    metadata: toObject(settings.metadata) as { [label: string]: string },
    model,
    output: [],
    parallel_tool_calls: booleanOf(settings.parallel_tool_calls) ?? true,
    presence_penalty: 0,
    previous_response_id: textOf(settings.previous_response_id) ?? null,
    prompt_cache_key: textOf(settings.prompt_cache_key) ?? null,
    reasoning: { effort: effort ?? null, summary: summary ?? null },
    safety_identifier: textOf(settings.safety_identifier) ?? null,
    service_tier: textOf(settings.service_tier) ?? "default",
    store: booleanOf(settings.store) ?? false,
    temperature: numberOf(settings.temperature) ?? 1,
    text: { format: { type: "text" }, ...toObject(settings.text) },
    tool_choice: settings.tool_choice ?? "auto",
    tools: toArray(settings.tools).map((tool) => whole(toObject(tool))),
    top_logprobs: numberOf(settings.top_logprobs) ?? 0,
    top_p: numberOf(settings.top_p) ?? 1,
    truncation: textOf(settings.truncation) ?? "disabled",
    usage: null,
  };
}

const whole = (tool: JsonObject): JsonObject =>
  tool.type === "function" ? { description: null, parameters: null, strict: false, ...tool } : tool;
