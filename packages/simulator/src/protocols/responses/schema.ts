import * as z from "zod";
import { breakpoint, cacheOptions, effort, metadata, name, object, tier } from "../chatstyle/schema.ts";

const opt = <T extends z.ZodType>(schema: T) => schema.nullish();
const itemId = z.string().min(1).max(64);
const callId = z.string().min(1).max(64);
const status = opt(z.enum(["in_progress", "completed", "incomplete"]));
const marked = { prompt_cache_breakpoint: breakpoint.optional() };

const inputPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("input_text"), text: z.string(), ...marked }),
  z.strictObject({
    type: z.literal("input_image"),
    image_url: opt(z.string()),
    file_id: opt(z.string()),
    detail: opt(z.enum(["auto", "low", "high", "original"])),
    ...marked,
  }),
  z.strictObject({
    type: z.literal("input_file"),
    file_data: z.string().optional(),
    file_id: opt(z.string()),
    file_url: z.string().optional(),
    filename: z.string().optional(),
    detail: z.enum(["auto", "low", "high"]).optional(),
    ...marked,
  }),
  z.strictObject({
    type: z.literal("input_audio"),
    input_audio: z.strictObject({ data: z.string(), format: z.enum(["wav", "mp3"]) }),
    ...marked,
  }),
]);
const outputPart = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("output_text"),
    text: z.string(),
    annotations: z.array(object).optional(),
    logprobs: opt(z.array(object)),
  }),
  z.strictObject({ type: z.literal("refusal"), refusal: z.string() }),
]);

const message = {
  type: z.literal("message").optional(),
  id: itemId.optional(),
  status,
  phase: opt(z.enum(["commentary", "final_answer"])),
};

/** Items of server-run tools and the like: known by name, not looked into. */
const OTHER_ITEMS = [
  "additional_tools",
  "apply_patch_call",
  "apply_patch_call_output",
  "code_interpreter_call",
  "compaction",
  "compaction_trigger",
  "computer_call",
  "computer_call_output",
  "file_search_call",
  "image_generation_call",
  "local_shell_call",
  "local_shell_call_output",
  "mcp_approval_request",
  "mcp_approval_response",
  "mcp_call",
  "mcp_list_tools",
  "program",
  "program_output",
  "shell_call",
  "shell_call_output",
  "tool_search_call",
  "tool_search_output",
  "web_search_call",
] as const;

const output = z.union([z.string(), z.array(inputPart)]);
const item = z.discriminatedUnion("type", [
  z.discriminatedUnion("role", [
    z.strictObject({
      ...message,
      role: z.enum(["user", "system", "developer"]),
      content: z.union([z.string(), z.array(inputPart)]),
    }),
    z.strictObject({
      ...message,
      role: z.literal("assistant"),
      content: z.union([z.string(), z.array(outputPart)]),
    }),
  ]),
  z.strictObject({
    type: z.literal("function_call"),
    id: opt(itemId),
    call_id: callId,
    name,
    arguments: z.string(),
    namespace: z.string().optional(),
    caller: opt(object),
    async: z.boolean().optional(),
    status,
  }),
  z.strictObject({
    type: z.literal("function_call_output"),
    id: opt(itemId),
    call_id: callId,
    output,
    name: z.string().optional(),
    caller: opt(object),
    status,
  }),
  z.strictObject({
    type: z.literal("custom_tool_call"),
    id: opt(itemId),
    call_id: callId,
    name,
    input: z.string(),
    namespace: z.string().optional(),
    caller: opt(object),
    status,
  }),
  z.strictObject({
    type: z.literal("custom_tool_call_output"),
    id: opt(itemId),
    call_id: callId,
    output,
    caller: opt(object),
    status,
  }),
  z.strictObject({
    type: z.literal("reasoning"),
    id: itemId.optional(),
    summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: z.string() })),
    content: opt(z.array(z.strictObject({ type: z.literal("reasoning_text"), text: z.string() }))),
    encrypted_content: opt(z.string()),
    status,
  }),
  z.strictObject({ type: z.literal("item_reference"), id: itemId }),
  z.looseObject({ type: z.enum(OTHER_ITEMS) }),
]);

const OTHER_TOOLS = [
  "apply_patch",
  "code_interpreter",
  "computer",
  "computer_use_preview",
  "file_search",
  "image_generation",
  "local_shell",
  "mcp",
  "namespace",
  "programmatic_tool_calling",
  "shell",
  "tool_search",
  "web_search",
  "web_search_2025_08_26",
  "web_search_preview",
  "web_search_preview_2025_03_11",
] as const;

const tool = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("function"),
    name,
    description: opt(z.string()),
    parameters: opt(object),
    strict: opt(z.boolean()),
    allowed_callers: opt(z.array(z.string())),
    async: z.boolean().optional(),
    defer_loading: z.boolean().optional(),
    output_schema: opt(object),
  }),
  z.strictObject({
    type: z.literal("custom"),
    name,
    description: z.string().optional(),
    format: object.optional(),
    allowed_callers: opt(z.array(z.string())),
    defer_loading: z.boolean().optional(),
  }),
  z.looseObject({ type: z.enum(OTHER_TOOLS) }),
]);

const choice = z.union([
  z.enum(["none", "auto", "required"]),
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.enum(["function", "custom"]), name }),
    z.strictObject({
      type: z.literal("allowed_tools"),
      mode: z.enum(["auto", "required"]),
      tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })),
    }),
    z.looseObject({ type: z.enum(OTHER_TOOLS) }),
  ]),
]);

const textFormat = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text") }),
  z.strictObject({ type: z.literal("json_object") }),
  z.strictObject({
    type: z.literal("json_schema"),
    name,
    description: z.string().optional(),
    schema: object,
    strict: opt(z.boolean()),
  }),
]);

export const schema = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(item).min(1)]),
  access_programs: object.optional(),
  background: opt(z.boolean()),
  client_metadata: opt(object),
  context_management: opt(z.array(object)),
  conversation: opt(z.union([z.string(), z.strictObject({ id: z.string() })])),
  image: object.optional(),
  include: opt(
    z.array(
      z.enum([
        "file_search_call.results",
        "web_search_call.results",
        "web_search_call.action.sources",
        "message.input_image.image_url",
        "computer_call_output.output.image_url",
        "code_interpreter_call.outputs",
        "reasoning.encrypted_content",
        "message.output_text.logprobs",
      ]),
    ),
  ),
  instructions: opt(z.string()),
  max_output_tokens: opt(z.int().min(16)),
  max_tool_calls: opt(z.int().min(1)),
  metadata: opt(metadata),
  moderation: opt(object),
  parallel_tool_calls: opt(z.boolean()),
  previous_response_id: opt(z.string()),
  prompt: opt(object),
  prompt_cache_key: opt(z.string()),
  prompt_cache_options: cacheOptions.optional(),
  prompt_cache_retention: opt(z.enum(["in_memory", "24h"])),
  reasoning: opt(
    z.strictObject({
      effort: opt(effort),
      summary: opt(z.enum(["auto", "concise", "detailed"])),
      generate_summary: opt(z.enum(["auto", "concise", "detailed"])),
      context: opt(z.enum(["auto", "current_turn", "all_turns"])),
      mode: z.enum(["standard", "pro"]).optional(),
    }),
  ),
  safety_identifier: opt(z.string().max(64)),
  service_tier: opt(tier),
  store: opt(z.boolean()),
  stream: opt(z.boolean()),
  stream_options: opt(z.strictObject({ include_obfuscation: z.boolean().optional() })),
  temperature: opt(z.number().min(0).max(2)),
  text: z
    .strictObject({ format: textFormat.optional(), verbosity: opt(z.enum(["low", "medium", "high"])) })
    .optional(),
  tool_choice: choice.optional(),
  tools: z.array(tool).max(128).optional(),
  top_logprobs: opt(z.int().min(0).max(20)),
  top_p: opt(z.number().min(0).max(1)),
  truncation: opt(z.enum(["auto", "disabled"])),
  user: z.string().optional(),
});

export type Body = z.infer<typeof schema>;
export type Item = z.infer<typeof item>;
export type InputPart = z.infer<typeof inputPart>;
export type Tool = z.infer<typeof tool>;
