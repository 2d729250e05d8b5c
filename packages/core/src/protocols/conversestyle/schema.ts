import * as z from "zod";
import { paramShape } from "../../codec/param-schemas.ts";
import { isObject, type Json, type JsonObject } from "../../json/json.ts";
import { params } from "./params.ts";

/** The user's own JSON: looked at, never copied. */
const data = z.custom<Json>((value) => value !== undefined);
const record = z.custom<JsonObject>(isObject, "must be an object");
const text = z.string();

const file = z.looseObject({
  format: text.optional(),
  name: text.optional(),
  source: z.looseObject({ bytes: text.optional() }),
});
const cachePoint = z.looseObject({ type: text, ttl: text.nullish() });

const contentShape = {
  text: text.optional(),
  image: file.optional(),
  document: file.optional(),
  video: file.optional(),
  audio: file.optional(),
};

const block = z.looseObject({
  ...contentShape,
  toolUse: z.looseObject({ toolUseId: text, name: text, input: data.optional() }).optional(),
  toolResult: z
    .looseObject({
      toolUseId: text,
      content: z.array(z.looseObject({ ...contentShape, json: data.optional() })).nullish(),
      status: text.nullish(),
    })
    .optional(),
  reasoningContent: z
    .looseObject({
      reasoningText: z.looseObject({ text: text.nullish(), signature: text.nullish() }).optional(),
      redactedContent: text.optional(),
    })
    .optional(),
  cachePoint: cachePoint.optional(),
});

const message = z.looseObject({ role: z.enum(["user", "assistant"]), content: z.array(block) });

const tool = z.looseObject({
  toolSpec: z
    .looseObject({
      name: text,
      description: text.nullish(),
      inputSchema: z.looseObject({ json: record.optional() }).nullish(),
      strict: z.boolean().nullish(),
    })
    .optional(),
  cachePoint: cachePoint.optional(),
});

/** A request for a turn of a conversation, loose: unknown members, blocks and tools pass. The path names the model. */
export const schema = z.looseObject({
  messages: z.array(message),
  system: z.array(z.looseObject({ text: text.optional(), cachePoint: cachePoint.optional() })).nullish(),
  inferenceConfig: z.looseObject(paramShape(params, "inferenceConfig")).nullish(),
  toolConfig: z
    .looseObject({
      tools: z.array(tool).nullish(),
      toolChoice: z.looseObject({ tool: z.looseObject({ name: text }).optional() }).nullish(),
    })
    .nullish(),
  outputConfig: z
    .looseObject({ textFormat: z.looseObject({ type: text, structure: record.optional() }).nullish() })
    .nullish(),
  additionalModelRequestFields: z.looseObject(paramShape(params, "additionalModelRequestFields")).nullish(),
  serviceTier: z.looseObject(paramShape(params, "serviceTier")).nullish(),
  ...paramShape(params),
});
export type Wire = z.infer<typeof schema>;

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
