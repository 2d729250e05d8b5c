import type { DONE } from "../../codec/codec-base.ts";
import { paramShape } from "../../codec/param-schemas.ts";
import type { Json, JsonObject } from "../../json/json.ts";
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
  union,
} from "../../schema/node.ts";
import { validator } from "../../schema/validator.ts";
import { params } from "./params.ts";

const text = nullish(string());
const flag = nullish(boolean());

const url = union([string(), object({ url: string(), detail: text })]);

const part = object(
  {
    type: string(),
    text: optional(string()),
    refusal: optional(string()),
    image_url: optional(url),
    video_url: optional(url),
    audio_url: optional(url),
    input_audio: optional(object({ data: string(), format: string() })),
    file: optional(object({ file_data: text, file_id: text, filename: text })),
  },
  {
    noun: "part",
    by: "type",
    members: {
      text: "text",
      refusal: "refusal",
      image_url: "image_url",
      input_audio: "input_audio",
      file: "file",
      video_url: "video_url",
      audio_url: "audio_url",
    },
  },
);

const args = nullish(union([string(), record()]));
const functionCall = object({ name: string(), arguments: args });

const call = object({
  id: text,
  type: text,
  function: optional(functionCall),
  custom: optional(object({ name: string(), input: text })),
});

const message = object(
  {
    role: oneOf("system", "developer", "user", "assistant", "tool", "function"),
    content: nullish(union([string(), array(part)])),
    name: text,
    refusal: text,
    tool_calls: nullish(array(call)),
    tool_call_id: text,
    function_call: nullish(functionCall),
  },
  { noun: "message", by: "role", members: { tool: "tool_call_id", function: "name" } },
);

const functionDefinition = object({
  name: string({ min: 1 }),
  description: text,
  parameters: nullish(record()),
  strict: flag,
});

/** A tool that does not say its type is a function. Its name may stand beside its type, as on the responses wire. */
const tool = object(
  {
    type: text,
    name: optional(string({ min: 1 })),
    function: optional(functionDefinition),
    custom: optional(object({ name: string({ min: 1 }), description: text, format: optional(any()) })),
  },
  {
    noun: "tool",
    by: "type",
    absent: "function",
    members: { function: "function", custom: "custom" },
    instead: "name",
  },
);

const request = object({
  model: string({ min: 1 }),
  messages: array(message, { min: 1 }),
  stream: flag,
  stream_options: nullish(object({ include_usage: flag })),
  tools: nullish(array(tool)),
  tool_choice: nullish(union([string(), object({ type: text })])),
  parallel_tool_calls: flag,
  functions: nullish(array(functionDefinition)),
  function_call: nullish(union([string(), object({ name: string() })])),
  web_search_options: nullish(object({})),
  response_format: nullish(
    object({
      type: string(),
      json_schema: optional(
        object({ name: text, description: text, schema: nullish(record()), strict: flag }),
      ),
    }),
  ),
  reasoning_effort: text,
  audio: nullish(object(paramShape(params, "audio"))),
  image_config: nullish(object(paramShape(params, "image_config"))),
  ...paramShape(params),
});
export type Wire = Infer<typeof request>;

/** A chat completions request as clients send it: unknown members, part types and tool types pass. */
export const schema = validator(request);

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
  completion_tokens_details?: { reasoning_tokens?: number; audio_tokens?: number; image_tokens?: number };
}
export interface ReplyChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  choices: { index: number; delta: Delta; finish_reason: FinishWord | null; logprobs?: Logprobs | null }[];
  usage?: UsageWire;
}
/** The output of the encoder: parts of a reply, an error, or the closing line. */
export type Chunk = ReplyChunk | { error: string | JsonObject } | typeof DONE;

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
