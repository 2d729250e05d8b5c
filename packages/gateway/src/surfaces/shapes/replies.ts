import { z } from "zod";

/** A reply has its protocol's format; these schemas name the members that clients can rely on. */
const loose = z.looseObject({});
const text = z.string().nullish();

export const chatCompletion = z
  .looseObject({
    id: z.string(),
    object: z.literal("chat.completion"),
    model: z.string(),
    choices: z.array(z.looseObject({ index: z.int(), message: loose, finish_reason: text })),
    usage: z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int() }).nullish(),
  })
  .meta({ id: "ChatCompletion" });

export const textCompletion = z
  .looseObject({ id: z.string(), choices: z.array(loose) })
  .meta({ id: "TextCompletion" });

export const response = z
  .looseObject({
    id: z.string(),
    object: z.literal("response"),
    status: z.string(),
    output: z.array(z.looseObject({ type: z.string() })),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }).nullish(),
  })
  .meta({ id: "Response" });

export const message = z
  .looseObject({
    id: z.string(),
    type: z.literal("message"),
    role: z.literal("assistant"),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: text,
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
  })
  .meta({ id: "Message" });

export const generated = z
  .looseObject({
    candidates: z.array(z.looseObject({ content: loose.nullish(), finishReason: text })).nullish(),
    usageMetadata: loose.nullish(),
  })
  .meta({ id: "GenerateContentResponse" });

export const transcript = z.looseObject({ text: z.string() }).meta({ id: "Transcript" });

const vector = z.array(z.number());

export const embeddingList = z
  .looseObject({
    object: z.literal("list"),
    data: z.array(z.looseObject({ index: z.int(), embedding: z.union([vector, z.string()]) })),
    model: z.string(),
    usage: loose,
  })
  .meta({ id: "EmbeddingList" });

const embedding = z.looseObject({ values: vector });
export const oneEmbedding = z.looseObject({ embedding }).meta({ id: "EmbedContentResponse" });
export const manyEmbeddings = z
  .looseObject({ embeddings: z.array(embedding) })
  .meta({ id: "BatchEmbedContentsResponse" });

export const ranking = z
  .looseObject({
    model: z.string(),
    results: z.array(
      z.looseObject({ index: z.int(), relevance_score: z.number(), document: loose.optional() }),
    ),
    usage: z.looseObject({ total_tokens: z.int() }),
    meta: z.looseObject({ billed_units: z.looseObject({ search_units: z.int() }) }).optional(),
  })
  .meta({ id: "Ranking" });

export const moderation = z
  .looseObject({
    id: z.string().optional(),
    model: z.string(),
    results: z.array(
      z.looseObject({
        flagged: z.boolean(),
        categories: z.record(z.string(), z.boolean()),
        category_scores: z.record(z.string(), z.number()),
      }),
    ),
  })
  .meta({ id: "Moderation" });

/** The body of a streamed success. The data of each event is one chunk in JSON. */
export const eventStream = (chunks: string): Record<string, z.ZodType> => ({
  "text/event-stream": z.string().describe(`Server-sent events; the data of each is ${chunks}.`),
});
