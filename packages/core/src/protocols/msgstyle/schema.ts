import * as z from "zod";
import { paramShape } from "../../codec/param-schemas.ts";
import { isObject, type JsonObject, lookup } from "../../json/json.ts";
import { params } from "./params.ts";

/** A content block. Known types are checked, others pass. */
type Block = { type: string } & JsonObject;

const text = z.string();
const record = z.record(z.string(), z.unknown());
const source = z.looseObject({
  type: text,
  media_type: text.nullish(),
  data: text.nullish(),
  url: text.nullish(),
  file_id: text.nullish(),
});

const blocks: Record<string, z.ZodType> = {
  text: z.looseObject({ text }),
  image: z.looseObject({ source }),
  document: z.looseObject({ source, title: text.nullish() }),
  thinking: z.looseObject({ thinking: text, signature: text.nullish() }),
  redacted_thinking: z.looseObject({ data: text }),
  tool_use: z.looseObject({ id: text, name: text, input: record.nullish() }),
  tool_result: z.looseObject({ tool_use_id: text, is_error: z.boolean().nullish() }),
};

interface Finding {
  message: string;
  path: PropertyKey[];
}

function* wrong(content: unknown): Generator<Finding> {
  if (typeof content === "string") return;
  if (!Array.isArray(content)) {
    yield { message: "Input should be a string or a list of content blocks", path: [] };
    return;
  }
  for (const [i, block] of content.entries()) {
    if (!isObject(block) || typeof block.type !== "string") {
      yield { message: "Input should be a content block: an object with a `type`", path: [i] };
      continue;
    }
    const shape = lookup(blocks, block.type);
    for (const { message, path } of shape?.safeParse(block).error?.issues ?? [])
      yield { message, path: [i, ...path] };
    if (block.type !== "tool_result" || block.content === undefined || block.content === null) continue;
    for (const { message, path } of wrong(block.content)) yield { message, path: [i, "content", ...path] };
  }
}

const content = z.custom<string | Block[]>().check((context) => {
  for (const { message, path } of wrong(context.value))
    context.issues.push({ code: "custom", message, path, input: context.value });
});

const message = z.looseObject({ role: z.enum(["user", "assistant", "system"]), content });

const tool = z.looseObject({
  type: text.nullish(),
  name: text.optional(),
  description: text.nullish(),
  input_schema: record.nullish(),
  strict: z.boolean().nullish(),
});

/** The wire's request, loose: unknown fields, blocks and tools pass. */
export const schema = z.looseObject({
  model: text,
  messages: z.array(message),
  system: content.nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z
    .looseObject({ type: text, name: text.optional(), disable_parallel_tool_use: z.boolean().nullish() })
    .nullish(),
  thinking: z
    .looseObject({ type: text, budget_tokens: z.number().nullish(), display: text.nullish() })
    .nullish(),
  output_config: z
    .looseObject({ effort: text.nullish(), format: z.looseObject({ type: text }).nullish() })
    .nullish(),
  output_format: z.looseObject({ type: text }).nullish(),
  metadata: z.looseObject(paramShape(params, "metadata")).nullish(),
  ...paramShape(params),
});

export type Wire = z.infer<typeof schema>;

export type StopReason =
  | "end_turn"
  | "max_tokens"
  | "stop_sequence"
  | "tool_use"
  | "pause_turn"
  | "refusal"
  | "model_context_window_exceeded";

/** The reason why a reply was declined. */
interface StopDetails {
  type: "refusal";
  category: null;
  explanation: string | null;
}

/** Token counts, exclusive: the three input counts add up to the whole input. */
export interface WireUsage {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number } | null;
  output_tokens_details: { thinking_tokens: number } | null;
  server_tool_use: null;
}

/** A citation that was made on another wire. */
export interface WireCitation {
  type: "web_search_result_location";
  url: string;
  title: string | null;
  cited_text: string;
  encrypted_index: string;
}

export type ReplyBlock =
  | { type: "text"; text: string; citations: WireCitation[] | null }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "tool_use"; id: string; name: string; input: JsonObject; caller: { type: "direct" } };

export type Delta =
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; thinking: string }
  | { type: "signature_delta"; signature: string }
  | { type: "input_json_delta"; partial_json: string }
  | { type: "citations_delta"; citation: WireCitation };

/** The end of a reply. */
export interface Ending {
  stop_reason: StopReason | null;
  stop_sequence: string | null;
  stop_details: StopDetails | null;
  container: null;
}

/** A unary reply. */
export interface Body extends Ending {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: ReplyBlock[];
  diagnostics: null;
  usage: WireUsage & { inference_geo: null; service_tier: null; speed: null };
}

export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "billing_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "request_too_large"
  | "rate_limit_error"
  | "api_error"
  | "timeout_error"
  | "overloaded_error";

/** One unit of a streamed reply; its frame's event name is its type. */
export type Chunk =
  | { type: "message_start"; message: Body }
  | { type: "content_block_start"; index: number; content_block: ReplyBlock }
  | { type: "content_block_delta"; index: number; delta: Delta }
  | { type: "content_block_stop"; index: number }
  | { type: "message_delta"; delta: Ending; usage: WireUsage }
  | { type: "message_stop" }
  | { type: "error"; error: { type: ErrorType; message: string } };
