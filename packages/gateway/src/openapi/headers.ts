import type { JsonObject } from "@manifold-gateway/core/codec";

const text = { type: "string" };

/** Headers that requests may have: of every route, of those that generate, and of those that can be explained. */
export const requestHeaders: Record<"all" | "generation" | "explanation", JsonObject[]> = {
  all: [
    {
      name: "x-request-id",
      in: "header",
      schema: { type: "string", maxLength: 128 },
      description: "A name for the request. It comes back, and stands in the log; without it one is made.",
    },
  ],
  generation: [
    {
      name: "idempotency-key",
      in: "header",
      schema: { type: "string", minLength: 1, maxLength: 255 },
      description: "The work is done once for each key, account and path in 24 hours.",
    },
    {
      name: "x-loss-policy",
      in: "header",
      schema: { type: "string", enum: ["strict", "warn", "allow"], default: "warn" },
      description:
        "What becomes of a request that its provider's protocol cannot say: refused, told, or only recorded.",
    },
    {
      name: "x-tags",
      in: "header",
      schema: { type: "string", maxLength: 1_024 },
      description:
        "Up to 8 names with values for the records and sums of the account: `team=search, env=prod`. Providers are not sent them.",
    },
  ],
  explanation: [
    {
      name: "x-explain",
      in: "header",
      schema: { type: "string", enum: ["true", "false"], default: "false" },
      description: "Tell what would happen, and do nothing.",
    },
  ],
};

/** Headers of every answer, of errors, and of those of a generation. */
export const responseHeaders: Record<"all" | "generation" | "error", JsonObject> = {
  all: { "x-request-id": { schema: text, description: "The name of the request." } },
  error: {
    "x-error-source": {
      schema: { type: "string", enum: ["service", "provider"] },
      description: "Whose the error is: the service's own, or the model's provider's, in its words.",
    },
  },
  generation: {
    "x-generation-id": { schema: text, description: "The id of the generation record." },
    "x-entry": { schema: text, description: "The model entry that answered, by its neutral id." },
    "x-attempts": {
      schema: text,
      description: "Which entries were called, what they answered, and how fast.",
    },
    "x-translation": { schema: { type: "string", enum: ["passthrough", "translated"] } },
    "x-hints": { schema: text, description: "Fields that may have been meant otherwise." },
    "x-cost": {
      schema: text,
      description: "What it came to, in US dollars, where that is known when the answer begins.",
    },
    "server-timing": { schema: text, description: "Milliseconds by stage." },
    "x-losses": {
      schema: text,
      description:
        "What the provider's protocol could not say, as JSON pointer and reason; absent where nothing was lost.",
    },
  },
};
