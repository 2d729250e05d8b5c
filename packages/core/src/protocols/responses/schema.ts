import * as z from "zod";
import type { DONE } from "../../codec/codec-base.ts";
import { paramShape } from "../../codec/param-schemas.ts";
import { type Json, lookup } from "../../json/json.ts";
import { params } from "./params.ts";

const text = z.string().nullish();
const boolean = z.boolean().nullish();

/** The member that a part of a known type cannot do without. */
const needs: Record<string, string> = {
  input_text: "text",
  output_text: "text",
  text: "text",
  refusal: "refusal",
  input_audio: "input_audio",
};

const part = z
  .looseObject({
    type: z.string(),
    text,
    refusal: text,
    image_url: z.union([z.string(), z.looseObject({ url: z.string() })]).nullish(),
    file_id: text,
    file_url: text,
    file_data: text,
    filename: text,
    detail: z.enum(["low", "medium", "high", "auto", "original"]).nullish(),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }).nullish(),
    annotations: z.array(z.looseObject({ type: z.string() })).nullish(),
    logprobs: z.array(z.looseObject({ token: z.string(), logprob: z.number() })).nullish(),
  })
  .superRefine((value, context) => {
    const member = lookup(needs, value.type);
    if (member === undefined || (value[member] !== undefined && value[member] !== null)) return;
    context.addIssue({
      code: "custom",
      path: [member],
      message: `A part of type "${value.type}" needs "${member}"`,
    });
  });

const content = z.union([z.string(), z.array(part)]).nullish();
const thoughts = z.array(z.looseObject({ type: z.string(), text })).nullish();
const output = z.union([z.string(), z.array(part), z.record(z.string(), z.unknown())]).nullish();

/** The required members of items of a known type. */
const items: Record<string, z.ZodType> = {
  message: z.looseObject({ role: z.enum(["user", "assistant", "system", "developer"]), content }),
  function_call: z.looseObject({
    call_id: z.string(),
    name: z.string(),
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    namespace: text,
  }),
  custom_tool_call: z.looseObject({ call_id: z.string(), name: z.string(), input: text, namespace: text }),
  function_call_output: z.looseObject({ call_id: text, output, name: text, namespace: text }),
  custom_tool_call_output: z.looseObject({ call_id: z.string(), output }),
  reasoning: z.looseObject({ summary: thoughts, content: thoughts, encrypted_content: text }),
};

const item = z.looseObject({ type: text, role: text, id: text }).superRefine((value, context) => {
  const type = value.type ?? (value.role === undefined && value.id ? "item_reference" : "message");
  const found = lookup(items, type)?.safeParse(value);
  for (const { path, message } of found?.error?.issues ?? [])
    context.addIssue({ code: "custom", path: [...path], message });
});

/** A tool that does not say its type is a function. */
const tool = z.looseObject({ type: text }).superRefine((value, context) => {
  if (!["function", "custom", "namespace"].includes(value.type ?? "function")) return;
  const members = z.looseObject({
    name: z.string().min(1),
    description: text,
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: boolean,
    tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  });
  for (const { path, message } of members.safeParse(value).error?.issues ?? [])
    context.addIssue({ code: "custom", path: [...path], message });
});

/** A responses request as clients send it: unknown members, item, part and tool types pass. */
export const schema = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(item)], { error: "must be a string or a list of items" }),
  instructions: text,
  stream: boolean,
  tools: z.array(tool).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).nullish(),
  parallel_tool_calls: boolean,
  text: z
    .looseObject({
      format: z
        .looseObject({
          type: z.string(),
          name: text,
          description: text,
          schema: z.record(z.string(), z.unknown()).nullish(),
          strict: boolean,
        })
        .nullish(),
      ...paramShape(params, "text"),
    })
    .nullish(),
  reasoning: z.looseObject({ effort: text, summary: text, generate_summary: text }).nullish(),
  ...paramShape(params),
  previous_response_id: text,
});
export type Wire = z.infer<typeof schema>;

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
