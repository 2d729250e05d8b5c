import * as z from "zod";
import type { DONE } from "../../codec/codec-base.ts";
import { paramShape } from "../../codec/param-schemas.ts";
import type { TokenLogprob } from "../../ir/index.ts";
import { params } from "./params.ts";

const message = z.object({
  role: z.enum(["system", "user", "assistant"]),
  content: z.string().min(1),
});

const boolean = z.boolean().nullish();
const object = z.record(z.string(), z.unknown());

const definition = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: object.nullish(),
  strict: boolean,
});

/** A tool as the chat wire nests it, or flat. */
const tool = z.union([
  z.looseObject({ type: z.literal("function").optional(), function: definition }),
  z.looseObject({ type: z.literal("function").optional(), ...definition.shape }),
  z.looseObject({ type: z.string().regex(/^(?!function$)/) }),
]);

/** The native text request. Members it does not name are not part of it: they are stripped. */
export const schema = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  ...paramShape(params),
  tools: z.array(tool).nullish(),
  toolChoice: z.union([z.string(), object]).nullish(),
  parallelToolCalls: boolean,
  responseFormat: z.looseObject({ type: z.string() }).nullish(),
  structuredOutputs: boolean,
  includeReasoning: boolean,
  reasoningEffort: z.string().nullish(),
  thinking: z.union([z.boolean(), object]).nullish(),
  webSearchOptions: object.nullish(),
});
export type Wire = z.infer<typeof schema>;

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
