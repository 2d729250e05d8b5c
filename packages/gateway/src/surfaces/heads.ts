import { z } from "zod";

/**
 * Schemas of the fields that the service reads, and the types of those that it documents. Other fields pass: on a
 * pass-through the provider validates them.
 */
const model = z
  .string()
  .min(1)
  .max(256)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  .regex(/^[^\x00-\x1f\x7f]+$/, "must not contain control characters")
  .describe("The id of a model of this service.");
const number = z.number().nullish();
const stream = z.boolean().nullish().describe("True to stream the response as server-sent events.");
const record = z.looseObject({}).nullish();
const provider = record.describe("Options of routing and fallback.");
const list = (noun: string) => z.array(z.unknown()).min(1, `at least one ${noun} is required`).max(2_000);
const choice = z.union([z.string(), z.looseObject({})]).nullish();

/** The schema for a protocol that the host has added, of which nothing else is known. */
export const requestHead = z.looseObject({ model, stream, provider });

export const chatHead = z
  .looseObject({
    model,
    messages: list("message"),
    stream,
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
    provider,
  })
  .meta({ id: "ChatCompletionRequest" });

/** A text to continue. The text after the gap is the `suffix`. */
export const completionHead = z
  .looseObject({
    model,
    prompt: z.union([z.string(), z.array(z.unknown()).max(2_000)]),
    suffix: z.string().nullish(),
    stream,
    stream_options: record,
    max_tokens: number,
    temperature: number,
    top_p: number,
    provider,
  })
  .meta({ id: "CompletionRequest" });

export const responsesHead = z
  .looseObject({
    model,
    input: z.union([z.string(), z.array(z.unknown()).max(2_000)]),
    instructions: z.string().nullish(),
    stream,
    max_output_tokens: number,
    temperature: number,
    top_p: number,
    tools: z.array(z.unknown()).nullish(),
    tool_choice: choice,
    text: record,
    metadata: record,
    reasoning: record,
    provider,
  })
  .meta({ id: "ResponseRequest" });

/** Without `input`, the tokens of a conversation stored at the provider are counted. */
export const responseCountHead = responsesHead.partial({ input: true });

export const messagesHead = z
  .looseObject({
    model,
    max_tokens: z.number(),
    messages: list("message"),
    system: z.union([z.string(), z.array(z.unknown())]).nullish(),
    temperature: number,
    top_p: number,
    top_k: number,
    stream,
    tools: z.array(z.unknown()).nullish(),
    tool_choice: record,
    stop_sequences: z.array(z.string()).nullish(),
    metadata: record,
    thinking: record,
    provider,
  })
  .meta({ id: "MessageRequest" });

/** Counting produces no output, so it needs no limit of it. */
export const countHead = messagesHead.omit({ max_tokens: true });

export const generateHead = z
  .looseObject({
    contents: z.union([z.string(), z.array(z.unknown()).min(1).max(2_000), z.looseObject({})]),
    provider,
  })
  .meta({ id: "GenerateContentRequest" });

/** Operations of which the wire's schema tells the rest: embeddings, transcriptions, rankings. */
export const operationHead = z.looseObject({ model });
export const speechHead = operationHead.extend({ input: z.string(), voice: choice });
export const moderationHead = z.looseObject({ model: model.nullish() });

/** The many formats cannot be declared here: the embedding code reports what is wrong. */
const vectorHead = z.looseObject({
  contents: z
    .unknown()
    .optional()
    .describe("`{ parts: [...] }`: text, or media as `inlineData`; also as `content`."),
  config: z
    .unknown()
    .optional()
    .describe("`{ outputDimensionality }`, which may also be beside the contents."),
});
/** The body of one embedding. Several embeddings have a method of their own. */
export const oneVectorHead = vectorHead.superRefine(({ requests }, context) => {
  if (requests !== undefined)
    context.addIssue({
      code: "custom",
      path: ["requests"],
      message: "is only taken by batchEmbedContents; send one content as contents",
    });
});
const BATCH = "must be a non-empty array of { content: { parts: [...] } }";

export const vectorsHead = z.looseObject({
  requests: z
    .array(
      z
        .looseObject(vectorHead.shape)
        .describe("The input of one embedding: `content`, and `outputDimensionality`, the same in all."),
      BATCH,
    )
    .min(1, BATCH)
    .describe("One request per vector, in the same order."),
});
