import * as z from "zod";

const opt = <T extends z.ZodType>(schema: T) => schema.nullish();
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
export const name = z.string().regex(NAME);
export const object = z.record(z.string(), z.unknown());
export const effort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
export const metadata = z.record(z.string().max(64), z.string().max(512));
export const tier = z.enum(["auto", "default", "flex", "scale", "priority", "fast"]);
export const cacheOptions = z.strictObject({
  mode: z.enum(["implicit", "explicit"]).optional(),
  ttl: z.enum(["30m", "12h"]).optional(),
  comparison_response_id: z.string().nullish(),
});
export const breakpoint = z.strictObject({
  mode: z.literal("explicit"),
  ttl: z.enum(["30m", "12h"]).optional(),
});

const marked = { prompt_cache_breakpoint: breakpoint.optional() };
const text = z.strictObject({ type: z.literal("text"), text: z.string(), ...marked });
const refusal = z.strictObject({ type: z.literal("refusal"), refusal: z.string() });
const userPart = z.discriminatedUnion("type", [
  text,
  z.strictObject({
    type: z.literal("image_url"),
    image_url: z.strictObject({
      url: z.string(),
      detail: z.enum(["auto", "low", "high", "original"]).optional(),
    }),
    ...marked,
  }),
  z.strictObject({
    type: z.literal("input_audio"),
    input_audio: z.strictObject({ data: z.string(), format: z.enum(["wav", "mp3"]) }),
    ...marked,
  }),
  z.strictObject({
    type: z.literal("file"),
    file: z.strictObject({
      file_id: z.string().optional(),
      file_data: z.string().optional(),
      filename: z.string().optional(),
    }),
    ...marked,
  }),
]);

const id = z.string().min(1).max(40);
const call = z.discriminatedUnion("type", [
  z.strictObject({
    id,
    type: z.literal("function"),
    function: z.strictObject({ name, arguments: z.string() }),
  }),
  z.strictObject({ id, type: z.literal("custom"), custom: z.strictObject({ name, input: z.string() }) }),
]);

const texts = z.union([z.string(), z.array(text).min(1)]);
const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.enum(["system", "developer"]), content: texts, name: z.string().optional() }),
  z.strictObject({
    role: z.literal("user"),
    content: z.union([z.string(), z.array(userPart).min(1)]),
    name: z.string().optional(),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: opt(z.union([z.string(), z.array(z.discriminatedUnion("type", [text, refusal])).min(1)])),
    refusal: opt(z.string()),
    reasoning_content: opt(z.string()),
    annotations: z.array(object).optional(),
    audio: opt(z.strictObject({ id: z.string() })),
    function_call: opt(z.strictObject({ name, arguments: z.string() })),
    name: z.string().optional(),
    tool_calls: z.array(call).min(1).max(128).optional(),
  }),
  z.strictObject({ role: z.literal("tool"), content: texts, tool_call_id: id }),
  z.strictObject({ role: z.literal("function"), content: z.string().nullable(), name }),
]);

const fn = z.strictObject({
  name,
  description: z.string().optional(),
  parameters: object.optional(),
  strict: opt(z.boolean()),
});
const tool = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("function"), function: fn }),
  z.strictObject({
    type: z.literal("custom"),
    custom: z.strictObject({ name, description: z.string().optional(), format: object.optional() }),
  }),
]);

const nameOnly = z.strictObject({ name });
const choice = z.union([
  z.enum(["none", "auto", "required"]),
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("function"), function: nameOnly }),
    z.strictObject({ type: z.literal("custom"), custom: nameOnly }),
    z.strictObject({
      type: z.literal("allowed_tools"),
      allowed_tools: z.strictObject({
        mode: z.enum(["auto", "required"]),
        tools: z.array(z.strictObject({ type: z.literal("function"), function: nameOnly })),
      }),
    }),
  ]),
]);

const responseFormat = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text") }),
  z.strictObject({ type: z.literal("json_object") }),
  z.strictObject({
    type: z.literal("json_schema"),
    json_schema: z.strictObject({
      name,
      description: z.string().optional(),
      schema: object.optional(),
      strict: opt(z.boolean()),
    }),
  }),
]);

export const schema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  audio: opt(object),
  frequency_penalty: opt(z.number().min(-2).max(2)),
  function_call: z.union([z.enum(["none", "auto"]), nameOnly]).optional(),
  functions: z
    .array(z.strictObject({ ...fn.shape, strict: z.never().optional() }))
    .min(1)
    .max(128)
    .optional(),
  logit_bias: opt(z.record(z.string(), z.number().min(-100).max(100))),
  logprobs: opt(z.boolean()),
  max_completion_tokens: opt(z.int().min(1)),
  max_tokens: opt(z.int().min(1)),
  metadata: opt(metadata),
  modalities: opt(z.array(z.enum(["text", "audio"]))),
  moderation: opt(object),
  n: opt(z.int().min(1).max(128)),
  parallel_tool_calls: z.boolean().optional(),
  prediction: opt(object),
  presence_penalty: opt(z.number().min(-2).max(2)),
  prompt_cache_key: opt(z.string()),
  prompt_cache_options: cacheOptions.optional(),
  prompt_cache_retention: opt(z.enum(["in_memory", "24h"])),
  reasoning_effort: opt(effort),
  response_format: responseFormat.optional(),
  safety_identifier: opt(z.string().max(64)),
  seed: opt(z.int()),
  service_tier: opt(tier),
  stop: opt(z.union([z.string(), z.array(z.string()).min(1).max(4)])),
  store: opt(z.boolean()),
  stream: opt(z.boolean()),
  stream_options: opt(
    z.strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() }),
  ),
  temperature: opt(z.number().min(0).max(2)),
  tool_choice: choice.optional(),
  tools: z.array(tool).min(1).max(128).optional(),
  top_logprobs: opt(z.int().min(0).max(20)),
  top_p: opt(z.number().min(0).max(1)),
  user: z.string().optional(),
  verbosity: opt(z.enum(["low", "medium", "high"])),
  web_search_options: object.optional(),
});

export type Body = z.infer<typeof schema>;
export type Message = Body["messages"][number];
export type UserPart = z.infer<typeof userPart>;
