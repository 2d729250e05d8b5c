import { paramShape } from "../../codec/param-schemas.ts";
import type { JsonObject } from "../../json/json.ts";
import {
  any,
  array,
  boolean,
  type Infer,
  nullish,
  object,
  oneOf,
  optional,
  record,
  string,
} from "../../schema/node.ts";
import { validator } from "../../schema/validator.ts";
import { params } from "./params.ts";

const text = string();
const json = optional(any());
const file = optional(
  object({
    format: optional(text),
    name: optional(text),
    source: optional(object({ bytes: optional(text) })),
  }),
);
const cachePoint = optional(object({ type: text, ttl: nullish(text) }));

const content = { text: optional(text), image: file, document: file, video: file, audio: file };

const block = object({
  ...content,
  toolUse: optional(object({ toolUseId: text, name: text, input: json })),
  toolResult: optional(
    object({ toolUseId: text, content: nullish(array(object({ ...content, json }))), status: nullish(text) }),
  ),
  reasoningContent: optional(
    object({
      reasoningText: optional(object({ text: nullish(text), signature: nullish(text) })),
      redactedContent: optional(text),
    }),
  ),
  cachePoint,
});

const tool = object({
  toolSpec: optional(
    object({
      name: text,
      description: nullish(text),
      inputSchema: nullish(object({ json: optional(record("must be an object")) })),
      strict: nullish(boolean()),
    }),
  ),
  cachePoint,
});

const request = object({
  messages: array(object({ role: oneOf("user", "assistant"), content: array(block) })),
  system: nullish(array(object({ text: optional(text), cachePoint }))),
  inferenceConfig: nullish(object(paramShape(params, "inferenceConfig"))),
  toolConfig: nullish(
    object({
      tools: nullish(array(tool)),
      toolChoice: nullish(object({ tool: optional(object({ name: text })) })),
    }),
  ),
  outputConfig: nullish(
    object({
      textFormat: nullish(object({ type: text, structure: optional(record("must be an object")) })),
    }),
  ),
  additionalModelRequestFields: nullish(object(paramShape(params, "additionalModelRequestFields"))),
  serviceTier: nullish(object(paramShape(params, "serviceTier"))),
  ...paramShape(params),
});
export type Wire = Infer<typeof request>;

/** A request for a turn of a conversation, loose: unknown members, blocks and tools pass. The path names the model. */
export const schema = validator(request);

export type StopReason =
  | "end_turn"
  | "tool_use"
  | "max_tokens"
  | "stop_sequence"
  | "guardrail_intervened"
  | "content_filtered"
  | "malformed_model_output"
  | "malformed_tool_use"
  | "model_context_window_exceeded";

/** Token counts, exclusive: the three input counts add up to the whole input. */
export interface WireUsage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cacheReadInputTokens?: number;
  cacheWriteInputTokens?: number;
  cacheDetails?: { ttl: string; inputTokens: number }[];
}

/** A unary reply, or an error. */
export type Body = JsonObject;

/** One unit of a streamed reply, by the type of its event, which the binary frame has in a header. */
export type Chunk = JsonObject;
