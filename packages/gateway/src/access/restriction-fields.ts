import type { Restrictions, RestrictionsChange } from "@manifold-gateway/store";
import { z } from "zod";
import { MODEL_SURFACES } from "./restrict.ts";

const count = (description: string) => z.int().min(1).max(1_000_000_000).nullish().describe(description);

/**
 * A change of a key's restrictions; null removes one. It is strict, because a misspelt restriction would have no
 * effect.
 */
export const restrictionsField = z.strictObject({
  requestsPerMinute: count("Requests in any sixty seconds."),
  tokensPerMinute: count("Input and output tokens in any sixty seconds."),
  concurrentRequests: count("Requests in flight at one time."),
  models: z
    .array(z.string().min(1).max(256))
    .min(1)
    .max(200)
    .nullish()
    .describe("The ids of the models that it may use; `*` matches any text."),
  surfaces: z.array(z.enum(MODEL_SURFACES)).min(1).nullish().describe("The surfaces that it may use."),
  expiresAt: z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], "must be an ISO date or time")
    .nullish()
    .describe("The time at which the key expires."),
});

/** Converts restrictions from the API's format to the store's. */
export function toRestrictionsChange(fields: z.output<typeof restrictionsField>): RestrictionsChange {
  const { expiresAt, ...rest } = fields;
  const entries = Object.entries({
    ...rest,
    expiresAt: typeof expiresAt === "string" ? Date.parse(expiresAt) : expiresAt,
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Converts restrictions from the store's format to the API's. */
export const fromRestrictions = ({ expiresAt, ...rest }: Restrictions) => ({
  ...rest,
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
});
