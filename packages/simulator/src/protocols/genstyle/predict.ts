import * as z from "zod";
import { countTokens } from "../../content/tokens.ts";
import { DEFAULT_DIMENSIONS, vectorOf } from "../../model/vector.ts";
import { Refusal } from "../../refusal.ts";
import type { Call, PlainAnswer } from "../protocol.ts";
import { checked } from "./read.ts";

/** The most tokens of all texts of a prediction. */
const MOST_TOKENS = 20_000;

const schema = z.strictObject({
  instances: z
    .array(
      z.strictObject({
        content: z.string().min(1),
        task_type: z.string().optional(),
        title: z.string().optional(),
      }),
    )
    .min(1)
    .max(250),
  parameters: z
    .strictObject({
      outputDimensionality: z.int().min(1).max(3072).optional(),
      autoTruncate: z.boolean().optional(),
    })
    .optional(),
});

/** Embeddings of texts as predictions: a list at a time, but for the models that take one. */
export function predictEmbeddings(input: unknown, call: Call): PlainAnswer {
  const { instances, parameters = {} } = checked(schema, input);
  const isContent = /gemini-embedding-2|maas/.test(call.model);
  if (isContent) throw new Refusal("missing", `Model ${call.model} does not support the predict API.`);
  if (call.model.startsWith("gemini") && instances.length > 1)
    throw new Refusal("invalid", `${call.model} supports one instance per request.`, { field: "instances" });
  const counts = instances.map(({ content }) => countTokens(content));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > MOST_TOKENS)
    throw new Refusal(
      "invalid",
      `The input token count is ${total} but the model supports up to ${MOST_TOKENS}.`,
      {
        field: "instances",
      },
    );
  const { outputDimensionality = DEFAULT_DIMENSIONS } = parameters;
  return {
    text: instances.map(({ content }) => content).join("\n"),
    input: total,
    write: () => ({
      predictions: instances.map(({ content }, i) => ({
        embeddings: {
          values: vectorOf(content, outputDimensionality),
          statistics: { token_count: counts[i], truncated: false },
        },
      })),
    }),
  };
}
