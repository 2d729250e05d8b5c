import { z } from "zod";
import { Refusal } from "../http/refusal.ts";
import { issuesOf } from "../issues.ts";

/**
 * What the service itself reads of a request, and the types of the fields that the surfaces document. Everything
 * else passes: on a pass-through the provider is the judge.
 */
const model = z
  .string()
  .min(1)
  .max(256)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  .regex(/^[^\x00-\x1f\x7f]+$/, "must not hold control characters");
const number = z.number().nullish();
const flag = z.boolean().nullish();
const record = z.looseObject({}).nullish();
const list = (what: string) => z.array(z.unknown()).min(1, `at least one ${what} is required`).max(2_000);
const choice = z.union([z.string(), z.looseObject({})]).nullish();

export const chatHead = z.looseObject({
  model,
  messages: list("message"),
  stream: flag,
  stream_options: record,
  temperature: number,
  max_tokens: number,
  max_completion_tokens: number,
  top_p: number,
  frequency_penalty: number,
  presence_penalty: number,
  tools: z.array(z.unknown()).nullish(),
  tool_choice: choice,
  response_format: record,
  provider: record,
});

export const responsesHead = z.looseObject({
  model,
  input: z.union([z.string(), z.array(z.unknown()).max(2_000)]),
  instructions: z.string().nullish(),
  stream: flag,
  max_output_tokens: number,
  temperature: number,
  top_p: number,
  tools: z.array(z.unknown()).nullish(),
  tool_choice: choice,
  text: record,
  metadata: record,
  reasoning: record,
  provider: record,
});

export const messagesHead = z.looseObject({
  model,
  max_tokens: z.number(),
  messages: list("message"),
  system: z.union([z.string(), z.array(z.unknown())]).nullish(),
  temperature: number,
  top_p: number,
  top_k: number,
  stream: flag,
  tools: z.array(z.unknown()).nullish(),
  tool_choice: record,
  stop_sequences: z.array(z.string()).nullish(),
  metadata: record,
  thinking: record,
  provider: record,
});

/** Counting asks for no answer, so it needs no limit for one. */
export const countHead = messagesHead.omit({ max_tokens: true });

export const generateHead = z.looseObject({
  contents: z.union([z.string(), z.array(z.unknown()).min(1).max(2_000), z.looseObject({})]),
  provider: record,
});

export const embedHead = z.looseObject({ model });

/** The value by a schema, or a 400 that names field and model. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const named = (value as { model?: unknown }).model;
  const errors = issuesOf(parsed.error, typeof named === "string" ? named : undefined);
  throw new Refusal(400, errors, { param: String(parsed.error.issues[0]?.path[0] ?? "body") });
}
