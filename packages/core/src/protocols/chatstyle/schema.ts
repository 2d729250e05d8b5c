import * as z from "zod";
import type { DONE } from "../../codec/codec-base.ts";
import { paramShape } from "../../codec/param-schemas.ts";
import { type Json, lookup } from "../../json/json.ts";
import { params } from "./params.ts";

/** The member that a part of a known type cannot do without. */
const needs: Record<string, string> = {
  text: "text",
  refusal: "refusal",
  image_url: "image_url",
  input_audio: "input_audio",
  file: "file",
  video_url: "video_url",
};

const url = z.union([z.string(), z.looseObject({ url: z.string(), detail: z.string().nullish() })]);

const part = z
  .looseObject({
    type: z.string(),
    text: z.string().optional(),
    refusal: z.string().optional(),
    image_url: url.optional(),
    video_url: url.optional(),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }).optional(),
    file: z
      .looseObject({
        file_data: z.string().nullish(),
        file_id: z.string().nullish(),
        filename: z.string().nullish(),
      })
      .optional(),
  })
  .superRefine((value, context) => {
    const member = lookup(needs, value.type);
    if (member === undefined || value[member] !== undefined) return;
    context.addIssue({
      code: "custom",
      path: [member],
      message: `A part of type "${value.type}" needs "${member}"`,
    });
  });

const content = z.union([z.string(), z.array(part)]);
const args = z.union([z.string(), z.record(z.string(), z.unknown())]).nullish();

const call = z.looseObject({
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: args }).optional(),
  custom: z.looseObject({ name: z.string(), input: z.string().nullish() }).optional(),
});

const message = z
  .looseObject({
    role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
    content: content.nullish(),
    name: z.string().nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(call).nullish(),
    tool_call_id: z.string().nullish(),
    function_call: z.looseObject({ name: z.string(), arguments: args }).nullish(),
  })
  .superRefine((value, context) => {
    const member = value.role === "tool" ? "tool_call_id" : value.role === "function" ? "name" : undefined;
    if (member === undefined || typeof value[member] === "string") return;
    context.addIssue({
      code: "custom",
      path: [member],
      message: `A message of role "${value.role}" needs "${member}"`,
    });
  });

const functionDefinition = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});

/** A tool that does not say its type is a function. */
const tool = z
  .looseObject({
    type: z.string().nullish(),
    function: functionDefinition.optional(),
    custom: z
      .looseObject({ name: z.string().min(1), description: z.string().nullish(), format: z.unknown() })
      .partial({ format: true })
      .optional(),
  })
  .superRefine((value, context) => {
    const type = value.type ?? "function";
    if ((type !== "function" && type !== "custom") || value[type] !== undefined) return;
    context.addIssue({ code: "custom", path: [type], message: `A tool of type "${type}" needs "${type}"` });
  });

const boolean = z.boolean().nullish();
const text = z.string().nullish();

/** A chat completions request as clients send it: unknown members, part types and tool types pass. */
export const schema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: boolean,
  stream_options: z.looseObject({ include_usage: boolean }).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({ type: text })]).nullish(),
  parallel_tool_calls: boolean,
  functions: z.array(functionDefinition).nullish(),
  function_call: z.union([z.string(), z.looseObject({ name: z.string() })]).nullish(),
  web_search_options: z.looseObject({}).nullish(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z
        .looseObject({
          name: text,
          description: text,
          schema: z.record(z.string(), z.unknown()).nullish(),
          strict: boolean,
        })
        .optional(),
    })
    .nullish(),
  reasoning_effort: text,
  ...paramShape(params),
});
export type Wire = z.infer<typeof schema>;

export type FinishWord = "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

export interface TokenLogprobs {
  token: string;
  logprob: number;
  bytes: number[] | null;
  top_logprobs: { token: string; logprob: number; bytes: number[] | null }[];
}
export interface Logprobs {
  content: TokenLogprobs[] | null;
  refusal: TokenLogprobs[] | null;
}
export interface Annotation {
  type: "url_citation";
  url_citation: { url: string; title: string; start_index: number; end_index: number; content?: string };
}
/** One thought, in the de-facto list that carries a signature beside the text. */
export interface ReasoningDetail {
  type: string;
  index: number;
  text?: string;
  summary?: string;
  signature?: string;
  data?: string;
  [field: string]: Json | undefined;
}
interface Image {
  type: "image_url";
  image_url: { url: string };
}
interface CallDelta {
  index: number;
  id?: string;
  type?: "function" | "custom";
  function?: { name?: string; arguments?: string };
  custom?: { name?: string; input?: string };
}
export interface Delta {
  role?: "assistant";
  content?: string | null;
  refusal?: string | null;
  reasoning_content?: string;
  reasoning_details?: ReasoningDetail[];
  tool_calls?: CallDelta[];
  annotations?: Annotation[];
  images?: Image[];
  audio?: { id: string; data: string; transcript: string; expires_at: number };
}
export interface UsageWire {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?: {
    cached_tokens?: number;
    cache_write_tokens?: number;
    audio_tokens?: number;
    image_tokens?: number;
  };
  completion_tokens_details?: { reasoning_tokens?: number; audio_tokens?: number };
}
export interface ReplyChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  system_fingerprint: null;
  choices: { index: number; delta: Delta; finish_reason: FinishWord | null; logprobs?: Logprobs | null }[];
  usage?: UsageWire;
}
/** The output of the encoder: parts of a reply, an error, or the closing line. */
export type Chunk = ReplyChunk | { error: string } | typeof DONE;

interface Call {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}
interface CustomCall {
  id: string;
  type: "custom";
  custom: { name: string; input: string };
}
export interface Body {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
  choices: {
    index: number;
    message: Omit<Delta, "role" | "content" | "refusal" | "tool_calls"> & {
      role: "assistant";
      content: string | null;
      refusal: string | null;
      tool_calls?: (Call | CustomCall)[];
    };
    finish_reason: FinishWord;
    logprobs: Logprobs | null;
  }[];
  usage?: UsageWire;
}
