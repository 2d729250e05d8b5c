import type { DONE } from "../../codec/codec-base.ts";
import { paramShape } from "../../codec/param-schemas.ts";
import type { TokenLogprob } from "../../ir/index.ts";
import {
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

const message = object({ role: oneOf("system", "user", "assistant"), content: string({ min: 1 }) });

const flag = nullish(boolean());

const definition = {
  name: string({ min: 1 }),
  description: nullish(string()),
  parameters: nullish(record()),
  strict: flag,
};
const type = optional(oneOf("function"));

/** A tool as the chat wire nests it, or flat. */
const tool = union([
  object({ type, function: object(definition) }),
  object({ type, ...definition }),
  object({ type: string({ pattern: /^(?!function$)/ }) }),
]);

const request = object({
  model: string({ min: 1 }),
  messages: array(message, { min: 1 }),
  ...paramShape(params),
  tools: nullish(array(tool)),
  toolChoice: nullish(union([string(), record()])),
  parallelToolCalls: flag,
  responseFormat: nullish(object({ type: string() })),
  structuredOutputs: flag,
  includeReasoning: flag,
  reasoningEffort: nullish(string()),
  thinking: nullish(union([boolean(), record()])),
  webSearchOptions: nullish(record()),
});
export type Wire = Infer<typeof request>;

/** The native text request. Members that it does not name are not part of it: nothing reads them. */
export const schema = validator(request);

/** A function that the model wants called, whole. */
export interface ToolCall {
  id: string;
  name: string;
  /** JSON text, as the model wrote it. */
  arguments: string;
}

/** One piece of the answer: text, or the requested additions to it. There is no media. */
export interface TextChunk {
  delta: string;
  reasoning?: string;
  toolCalls?: ToolCall[];
  /** Log probabilities of the tokens of the text. */
  logprobs?: TokenLogprob[];
  finishReason?: string;
  usage?: { promptTokens: number; completionTokens: number; totalTokens: number };
}
export type Chunk = TextChunk | { error: string } | typeof DONE;
/** The whole answer: one chunk that all chunks add up to. */
export type Body = Omit<TextChunk, "reasoning"> & { reasoning?: string | string[] };
