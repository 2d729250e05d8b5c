import type { JsonObject } from "@manifold/core";

const text = { type: "string" };

/** Headers that requests may have, for every route and for those that generate. */
export const requestHeaders = {
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
  ],
} satisfies Record<string, JsonObject[]>;

/** Headers of every answer, and of those of a generation. */
export const responseHeaders = {
  all: { "x-request-id": { schema: text, description: "The name of the request." } },
  generation: {
    "x-generation-id": { schema: text, description: "The id of the generation record." },
    "x-losses": {
      schema: text,
      description:
        "What the provider's protocol could not say, as JSON pointer and reason; absent where nothing was lost.",
    },
  },
} satisfies Record<string, JsonObject>;
