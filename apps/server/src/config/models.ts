import { outputModality } from "@manifold-gateway/core/capability";
import { capabilitiesSchema } from "@manifold-gateway/core/configuration";
import { FALLBACK_CAUSES } from "@manifold-gateway/gateway";
import { UNITS } from "@manifold-gateway/store";
import { z } from "zod";
import { knownNames } from "./known-terms.ts";
import { meter, tiers, unitPrice } from "./media.ts";
import { id } from "./names.ts";
import { factors, traits, upstreamProtocol } from "./providers.ts";

const inputs = ["text", "image", "file", "video", "audio"] as const;
const modality = z.enum([...inputs, ...Object.values(outputModality)]);

const price = z
  .partialRecord(z.enum(UNITS), unitPrice)
  .describe(
    "US dollars: per 1,000,000 tokens or characters, per image, second and request. {} is free; an entry without a price is not served.",
  );

const entry = z.strictObject({
  provider: id,
  name: id.describe("The provider's own name for the model."),
  priority: z.int().min(0).default(1).describe("Lower goes first."),
  weight: z
    .number()
    .min(0)
    .max(1_000)
    .optional()
    .describe(
      "Its share of the conversations among entries of the same priority; 1 if only others have one. Default: none, the cheapest goes first.",
    ),
  active: z.boolean().default(true),
  protocol: z
    .union([upstreamProtocol, z.array(upstreamProtocol).min(1)])
    .optional()
    .describe("The protocols of the model, if fewer than the provider's."),
  capabilities: capabilitiesSchema.optional().describe("The limits of the model. Absent: unconstrained."),
  traits: traits.optional(),
  price: price.optional(),
  known: z
    .enum(knownNames)
    .optional()
    .describe(
      "The known media model whose capabilities, meter and prices apply. Default: the one of this name.",
    ),
  meter: meter.optional(),
  tiers: tiers(UNITS).optional(),
  factors: factors.optional(),
  batches: z
    .literal(false)
    .optional()
    .describe("False: requests of batches are sent to it one by one, not with the batches of its provider."),
});

const causes = z.enum(FALLBACK_CAUSES);
/** The causes after which the same request may well succeed at another model. */
const USUAL_CAUSES = ["unavailable", "rate_limited"] as const;

const fallback = z
  .union([
    id,
    z.strictObject({
      model: id,
      on: z
        .array(causes)
        .min(1)
        .default([...USUAL_CAUSES]),
    }),
  ])
  .transform((one) => (typeof one === "string" ? { model: one, on: [...USUAL_CAUSES] } : one));

/** A model and the entries that serve it. */
export const model = z.strictObject({
  name: z.string().max(256).optional(),
  aliases: z
    .array(id)
    .max(100)
    .optional()
    .describe("Further names that callers may use for it; * stands for any text, as in gpt-4o*."),
  input: z.array(modality).min(1).default(["text"]).describe("The inputs."),
  output: z.array(modality).min(1).default(["text"]).describe("The outputs."),
  active: z.boolean().default(true),
  answerName: z
    .enum(["provider", "asked"])
    .optional()
    .describe("The model's name in responses that pass through: the provider's (default), or the caller's."),
  fallbacks: z
    .array(fallback)
    .max(8)
    .optional()
    .describe(
      "The models that answer in its place, in order: names, or names with the causes (`on`); by default when it is unavailable or its rate is used up.",
    ),
  cache: z
    .strictObject({
      seconds: z
        .int()
        .min(1)
        .max(30 * 24 * 3_600)
        .describe("The greatest age of an answer from the cache."),
      any: z
        .literal(true)
        .optional()
        .describe(
          "True to cache every answer, not only those of requests without temperature or with a seed.",
        ),
    })
    .optional()
    .describe("Answers of the model are cached, unless a request or its key says otherwise."),
  entries: z.array(entry).min(1),
});
