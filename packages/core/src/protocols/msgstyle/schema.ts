import { paramShape } from "../../codec/param-schemas.ts";
import type { JsonObject } from "../../json/json.ts";
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
  type Schema,
  string,
  union,
  type VariantNode,
  variant,
} from "../../schema/node.ts";
import { validator } from "../../schema/validator.ts";
import { params } from "./params.ts";

/** A content block. Known types are checked, others pass. */
type Block = { type: string } & JsonObject;

const text = string();
const source = object({
  type: text,
  media_type: nullish(text),
  data: nullish(text),
  url: nullish(text),
  file_id: nullish(text),
});

const result = { tool_use_id: text, is_error: nullish(boolean()) };
const blocks = {
  text: object({ text }),
  image: object({ source }),
  document: object({ source, title: nullish(text) }),
  thinking: object({ thinking: text, signature: nullish(text) }),
  redacted_thinking: object({ data: text }),
  tool_use: object({ id: text, name: text, input: nullish(record()) }),
  tool_result: object(result),
};

const contentOf = (cases: VariantNode["cases"]): Schema<string | Block[]> =>
  union(
    [
      text,
      array(
        variant(object({ type: text }), "type", cases, {
          message: "Input should be a content block: an object with a `type`",
        }) as Schema<Block>,
      ),
    ],
    "Input should be a string or a list of content blocks",
  );

/** The content of a result is content as well, in which a result is like any other block. */
const content = contentOf({
  ...blocks,
  tool_result: object({ ...result, content: nullish(contentOf(blocks)) }),
});

const request = object({
  model: text,
  messages: array(object({ role: oneOf("user", "assistant", "system"), content })),
  system: nullish(content),
  stream: nullish(boolean()),
  tools: nullish(
    array(
      object({
        type: nullish(text),
        name: optional(text),
        description: nullish(text),
        input_schema: nullish(record()),
        strict: nullish(boolean()),
      }),
    ),
  ),
  tool_choice: nullish(
    object({ type: text, name: optional(text), disable_parallel_tool_use: nullish(boolean()) }),
  ),
  thinking: nullish(object({ type: text, budget_tokens: nullish(number()), display: nullish(text) })),
  output_config: nullish(object({ effort: nullish(text), format: nullish(object({ type: text })) })),
  output_format: nullish(object({ type: text })),
  metadata: nullish(object(paramShape(params, "metadata"))),
  ...paramShape(params),
});
export type Wire = Infer<typeof request>;

/** The wire's request, loose: unknown fields, blocks and tools pass. */
export const schema = validator(request);

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
