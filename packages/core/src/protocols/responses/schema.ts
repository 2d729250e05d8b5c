import type { DONE } from "../../codec/codec-base.ts";
import { paramShape } from "../../codec/param-schemas.ts";
import type { Json } from "../../json/json.ts";
import {
  array,
  boolean,
  type Infer,
  nullish,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  union,
  variant,
} from "../../schema/node.ts";
import { validator } from "../../schema/validator.ts";
import { params } from "./params.ts";

const text = nullish(string());
const flag = nullish(boolean());

const part = object(
  {
    type: string(),
    text,
    refusal: text,
    image_url: nullish(union([string(), object({ url: string() })])),
    file_id: text,
    file_url: text,
    file_data: text,
    filename: text,
    detail: nullish(oneOf("low", "medium", "high", "auto", "original")),
    input_audio: nullish(object({ data: string(), format: string() })),
    annotations: nullish(array(object({ type: string() }))),
    logprobs: nullish(array(object({ token: string(), logprob: number() }))),
  },
  {
    noun: "part",
    by: "type",
    members: {
      input_text: "text",
      output_text: "text",
      text: "text",
      refusal: "refusal",
      input_audio: "input_audio",
    },
  },
);

const content = nullish(union([string(), array(part)]));
const thoughts = nullish(array(object({ type: string(), text })));
const output = nullish(union([string(), array(part), record()]));

/** An item. Those of a known type are checked, others pass. */
const item = variant(
  object({ type: text, role: text, id: text }),
  "type",
  {
    message: object({ role: oneOf("user", "assistant", "system", "developer"), content }),
    function_call: object({
      call_id: string(),
      name: string(),
      arguments: nullish(union([string(), record()])),
      namespace: text,
    }),
    custom_tool_call: object({ call_id: string(), name: string(), input: text, namespace: text }),
    function_call_output: object({ call_id: text, output, name: text, namespace: text }),
    custom_tool_call_output: object({ call_id: string(), output }),
    reasoning: object({ summary: thoughts, content: thoughts, encrypted_content: text }),
  },
  { absent: ({ role, id }) => (role === undefined && id ? "item_reference" : "message") },
);

const definition = {
  description: text,
  parameters: nullish(record()),
  strict: flag,
};
const named = object({
  name: string({ min: 1 }),
  ...definition,
  tools: nullish(array(object({ type: string() }))),
});
/** Its definition may stand in a member of its own, as on the chat wire. */
const nestable = object(
  { name: optional(string({ min: 1 })), ...definition, function: nullish(named) },
  { noun: "tool", by: "type", absent: "function", members: { function: "name" }, instead: "function" },
);

/** A tool that does not say its type is a function. */
const tool = variant(
  object({ type: text }),
  "type",
  { function: nestable, custom: named, namespace: named },
  { absent: () => "function" },
);

const request = object({
  model: string({ min: 1 }),
  input: union([string(), array(item)], "must be a string or a list of items"),
  instructions: text,
  stream: flag,
  tools: nullish(array(tool)),
  tool_choice: nullish(union([string(), object({ type: string() })])),
  parallel_tool_calls: flag,
  text: nullish(
    object({
      format: nullish(
        object({
          type: string(),
          name: text,
          description: text,
          schema: nullish(record()),
          strict: flag,
        }),
      ),
      ...paramShape(params, "text"),
    }),
  ),
  reasoning: nullish(object({ effort: text, summary: text, generate_summary: text })),
  ...paramShape(params),
  previous_response_id: text,
});
export type Wire = Infer<typeof request>;

/** A responses request as clients send it: unknown members, item, part and tool types pass. */
export const schema = validator(request);

export interface TopLogprobWire {
  token: string;
  logprob: number;
  bytes: number[];
}
export interface LogprobWire extends TopLogprobWire {
  top_logprobs: TopLogprobWire[];
}
/** The source of a piece of an answer. Only this kind can be written anew; the others come from upstream. */
export interface Annotation {
  type: "url_citation";
  url: string;
  title: string;
  start_index: number;
  end_index: number;
}
export interface OutputText {
  type: "output_text";
  text: string;
  annotations: Annotation[];
  logprobs: LogprobWire[];
}
export interface Refusal {
  type: "refusal";
  refusal: string;
}
export type OutputPart = OutputText | Refusal;
export type ItemStatus = "in_progress" | "completed" | "incomplete";
export interface MessageItem {
  type: "message";
  id: string;
  role: "assistant";
  status: ItemStatus;
  content: OutputPart[];
}
export interface SummaryText {
  type: "summary_text";
  text: string;
}
export interface ReasoningItem {
  type: "reasoning";
  id: string;
  status: ItemStatus;
  summary: SummaryText[];
  encrypted_content?: string;
}
export interface FunctionCallItem {
  type: "function_call";
  id: string;
  status: ItemStatus;
  call_id: string;
  name: string;
  arguments: string;
  namespace?: string;
}
export interface CustomCallItem {
  type: "custom_tool_call";
  id: string;
  status: ItemStatus;
  call_id: string;
  name: string;
  input: string;
  namespace?: string;
}
export interface ImageItem {
  type: "image_generation_call";
  id: string;
  status: "in_progress" | "completed";
  result: string | null;
  output_format?: "png" | "webp" | "jpeg" | "gif" | "svg";
}
export type Item = MessageItem | ReasoningItem | FunctionCallItem | CustomCallItem | ImageItem;

export interface UsageWire {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
}

/** A whole response: what it answers is repeated in it, and members without a value are `null`. */
export interface Body {
  id: string;
  object: "response";
  created_at: number;
  status: "in_progress" | "completed" | "incomplete" | "failed";
  background: boolean;
  completed_at: number | null;
  error: { code: string; message: string } | null;
  frequency_penalty: number;
  incomplete_details: { reason: "max_output_tokens" | "content_filter" } | null;
  instructions: string | null;
  max_output_tokens: number | null;
  max_tool_calls: number | null;
  metadata: { [label: string]: string };
  model: string;
  output: Item[];
  parallel_tool_calls: boolean;
  presence_penalty: number;
  previous_response_id: string | null;
  prompt_cache_key: string | null;
  reasoning: { [field: string]: Json };
  safety_identifier: string | null;
  service_tier: string;
  store: boolean;
  temperature: number;
  text: { [field: string]: Json };
  tool_choice: Json;
  tools: Json[];
  top_logprobs: number;
  top_p: number;
  truncation: string;
  usage: UsageWire | null;
}

interface Numbered {
  sequence_number: number;
}
interface OfItem extends Numbered {
  item_id: string;
  output_index: number;
}
interface OfContent extends OfItem {
  content_index: number;
}
interface OfSummary extends OfItem {
  summary_index: number;
}

type Lifecycle<Name extends string> = Numbered & { type: `response.${Name}`; response: Body };
/** A chunk of a streamed reply, by its `type`. */
export type ReplyChunk =
  | Lifecycle<"created">
  | Lifecycle<"in_progress">
  | Lifecycle<"completed">
  | Lifecycle<"incomplete">
  | Lifecycle<"failed">
  | (Numbered & {
      type: "response.output_item.added" | "response.output_item.done";
      output_index: number;
      item: Item;
    })
  | (OfContent & { type: "response.content_part.added" | "response.content_part.done"; part: OutputPart })
  | (OfContent & { type: "response.output_text.delta"; delta: string; logprobs: LogprobWire[] })
  | (OfContent & { type: "response.output_text.done"; text: string; logprobs: LogprobWire[] })
  | (OfContent & {
      type: "response.output_text.annotation.added";
      annotation_index: number;
      annotation: Annotation;
    })
  | (OfContent & { type: "response.refusal.delta"; delta: string })
  | (OfContent & { type: "response.refusal.done"; refusal: string })
  | (OfSummary & {
      type: "response.reasoning_summary_part.added" | "response.reasoning_summary_part.done";
      part: SummaryText;
    })
  | (OfSummary & { type: "response.reasoning_summary_text.delta"; delta: string })
  | (OfSummary & { type: "response.reasoning_summary_text.done"; text: string })
  | (OfItem & { type: "response.function_call_arguments.delta"; delta: string })
  | (OfItem & { type: "response.function_call_arguments.done"; name: string; arguments: string })
  | (OfItem & { type: "response.custom_tool_call_input.delta"; delta: string })
  | (OfItem & { type: "response.custom_tool_call_input.done"; input: string })
  | (Numbered & { type: "error"; code: string | null; message: string; param: string | null });
/** The output of the encoder: parts of a reply, an error, or the closing line. */
export type Chunk = ReplyChunk | typeof DONE;
