import * as z from "zod";

const object = z.record(z.string(), z.unknown());
const cache = z
  .strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() })
  .nullish();
const id = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);
const url = z.strictObject({ type: z.literal("url"), url: z.string() });
const uploaded = z.strictObject({ type: z.literal("file"), file_id: z.string() });
const citations = z.strictObject({ enabled: z.boolean().optional() }).nullish();

const text = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  cache_control: cache,
  citations: z.array(object).nullish(),
});

const image = z.strictObject({
  type: z.literal("image"),
  source: z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("base64"),
      media_type: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
      data: z.string().min(1),
    }),
    url,
    uploaded,
  ]),
  cache_control: cache,
  transformations: object.nullish(),
});

const document = z.strictObject({
  type: z.literal("document"),
  source: z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("base64"),
      media_type: z.literal("application/pdf"),
      data: z.string().min(1),
    }),
    z.strictObject({ type: z.literal("text"), media_type: z.literal("text/plain"), data: z.string().min(1) }),
    z.strictObject({
      type: z.literal("content"),
      content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image]))]),
    }),
    url,
    uploaded,
  ]),
  cache_control: cache,
  citations,
  context: z.string().nullish(),
  title: z.string().nullish(),
});

const searchResult = z.strictObject({
  type: z.literal("search_result"),
  source: z.string(),
  title: z.string(),
  content: z.array(text),
  cache_control: cache,
  citations: citations.optional(),
});

const toolReference = z.strictObject({
  type: z.literal("tool_reference"),
  tool_name: z.string(),
  cache_control: cache,
});

const resultBlock = z.discriminatedUnion("type", [text, image, document, searchResult, toolReference]);

/** Blocks of server-run tools: known by name, not looked into. */
const SERVER_BLOCKS = [
  "server_tool_use",
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
  "mcp_tool_use",
  "mcp_tool_result",
  "container_upload",
  "compaction",
] as const;

const block = z.discriminatedUnion("type", [
  text,
  image,
  document,
  searchResult,
  z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal("redacted_thinking"), data: z.string() }),
  z.strictObject({
    type: z.literal("tool_use"),
    id,
    name,
    input: object,
    cache_control: cache,
    caller: object.optional(),
    toolset_name: z.string().nullish(),
  }),
  z.strictObject({
    type: z.literal("tool_result"),
    tool_use_id: id,
    content: z.union([z.string(), z.array(resultBlock)]).optional(),
    is_error: z.boolean().optional(),
    cache_control: cache,
    toolset_name: z.string().nullish(),
  }),
  z.looseObject({ type: z.enum(SERVER_BLOCKS) }),
]);

const message = z.strictObject({
  role: z.enum(["user", "assistant", "system"]),
  content: z.union([z.string(), z.array(block)]),
});

const custom = z.strictObject({
  type: z.literal("custom").nullish(),
  name,
  description: z.string().optional(),
  input_schema: z.looseObject({
    type: z.literal("object"),
    properties: object.nullish(),
    required: z.array(z.string()).nullish(),
  }),
  strict: z.boolean().optional(),
  cache_control: cache,
  defer_loading: z.boolean().optional(),
  allowed_callers: z.array(z.string()).optional(),
  input_examples: z.array(object).optional(),
  eager_input_streaming: z.boolean().nullish(),
});

const serverTool = z.looseObject({
  type: z
    .string()
    .regex(
      /^(web_search|web_fetch|code_execution|bash|text_editor|memory|computer|browser|tool_search|mcp)_\w+$/,
    ),
  cache_control: cache,
});

const display = z.enum(["summarized", "omitted"]).nullish();
const parallel = { disable_parallel_tool_use: z.boolean().optional() };

/** Names that need a beta header; without one they do not exist. */
export const BETA_FIELDS = ["context_management", "mcp_servers", "output_format", "betas"] as const;

/** Names that the newest version of the protocol no longer has. */
export const RETIRED_FIELDS = ["temperature", "top_p", "top_k"] as const;

const prompt = {
  model: z.string().min(1),
  messages: z.array(message).min(1),
  cache_control: cache,
  output_config: z
    .strictObject({
      effort: z.enum(["low", "medium", "high", "xhigh", "max"]).nullish(),
      format: z.strictObject({ type: z.literal("json_schema"), schema: object }).nullish(),
    })
    .optional(),
  speed: z.enum(["standard", "fast"]).nullish(),
  system: z.union([z.string(), z.array(text)]).optional(),
  thinking: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("enabled"), budget_tokens: z.int().min(1024), display }),
      z.strictObject({ type: z.literal("adaptive"), display }),
      z.strictObject({ type: z.literal("disabled") }),
      z.strictObject({ type: z.literal("between_tools") }),
    ])
    .optional(),
  tool_choice: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("auto"), ...parallel }),
      z.strictObject({ type: z.literal("any"), ...parallel }),
      z.strictObject({ type: z.literal("tool"), name, ...parallel }),
      z.strictObject({ type: z.literal("none") }),
    ])
    .optional(),
  tools: z.array(z.union([custom, serverTool])).optional(),
  user_profile_id: z.string().optional(),
  workspace_id: z.string().optional(),
  context_management: object.optional(),
  mcp_servers: z.array(object).optional(),
  output_format: object.optional(),
  betas: z.array(z.string()).optional(),
};

export const countSchema = z.strictObject(prompt);

export const schema = z.strictObject({
  ...prompt,
  max_tokens: z.int().min(0),
  container: z.union([z.string(), object]).nullish(),
  diagnostics: object.nullish(),
  inference_geo: z.string().nullish(),
  metadata: z.strictObject({ user_id: z.string().max(256).nullish() }).optional(),
  service_tier: z.enum(["auto", "standard_only"]).optional(),
  stop_sequences: z.array(z.string()).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
});

export type Body = z.infer<typeof schema>;
export type Block = z.infer<typeof block>;
export type ResultBlock = z.infer<typeof resultBlock>;
export type Message = { role: "user" | "assistant" | "system"; content: Block[]; at: number };
