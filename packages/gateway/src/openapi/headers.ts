import type { JsonObject } from "@manifold-gateway/core/codec";
import { BATCH_RUNNERS } from "@manifold-gateway/store/restrictions";

const text = { type: "string" };

type Group = "all" | "once" | "generation" | "cache" | "batch" | "explanation";

/**
 * Request headers: of all routes, of those that run once for each idempotency key, that generate, whose answers are
 * cached, that begin a batch, and that can be explained.
 */
export const requestHeaders: Record<Group, JsonObject[]> = {
  all: [
    {
      name: "x-request-id",
      in: "header",
      schema: { type: "string", maxLength: 128 },
      description: "An id for the request, returned and logged. Default: a generated one.",
    },
  ],
  once: [
    {
      name: "idempotency-key",
      in: "header",
      schema: { type: "string", minLength: 1, maxLength: 255 },
      description:
        "The request is carried out once per idempotency key, API key (or account of a session) and path within 24 hours.",
    },
  ],
  generation: [
    {
      name: "x-loss-policy",
      in: "header",
      schema: { type: "string", enum: ["strict", "warn", "allow"], default: "warn" },
      description:
        "What happens to parts of a request that the provider's protocol cannot express: refuse, list, or only record them.",
    },
    {
      name: "x-tags",
      in: "header",
      schema: { type: "string", maxLength: 1_024 },
      description:
        "Up to 8 names with values for the records and sums of the account: `team=search, env=prod`. They are not sent to providers.",
    },
  ],
  cache: [
    {
      name: "x-cache",
      in: "header",
      schema: { type: "string" },
      description:
        "`max-age=600` gives the answer to the same request of the last 600 seconds once more, or keeps this one; `max-age=600, any` also where answers may differ each time; `off` does neither.",
    },
  ],
  batch: [
    {
      name: "x-batch-by",
      in: "header",
      schema: { type: "string", enum: [...BATCH_RUNNERS], default: "provider" },
      description:
        "Who runs the lines: `provider` has batches of the provider run those that they can, at their price; `service` sends each by itself.",
    },
  ],
  explanation: [
    {
      name: "x-explain",
      in: "header",
      schema: { type: "string", enum: ["true", "false"], default: "false" },
      description: "Return what would happen, and do nothing.",
    },
  ],
};

/** Response headers: of all answers, of generations, and of errors. */
export const responseHeaders: Record<"all" | "generation" | "error", JsonObject> = {
  all: { "x-request-id": { schema: text, description: "The id of the request." } },
  error: {
    "x-error-source": {
      schema: { type: "string", enum: ["service", "provider"] },
      description: "The source of the error: the service, or the model's provider, in its own words.",
    },
  },
  generation: {
    "x-generation-id": { schema: text, description: "The id of the generation record." },
    "x-entry": { schema: text, description: "The neutral id of the model entry that served the request." },
    "x-attempts": {
      schema: text,
      description: "The entries that were called, with their status and duration.",
    },
    "x-model": {
      schema: text,
      description: "The model that answered, where others may answer in place of the requested one.",
    },
    "x-translation": { schema: { type: "string", enum: ["passthrough", "translated"] } },
    "x-guard": {
      schema: text,
      description: "What guards of the operator decided about the request and its answer.",
    },
    "x-cache": {
      schema: text,
      description: "`hit` with age and saving, `miss`, or `skip` with the reason, where answers are cached.",
    },
    "x-hints": { schema: text, description: "Fields that may be misspelt." },
    "x-cost": {
      schema: text,
      description: "The cost in US dollars, if known when the response begins.",
    },
    "server-timing": { schema: text, description: "Milliseconds by stage." },
    "x-losses": {
      schema: text,
      description:
        "Parts that the provider's protocol could not express, as JSON pointer and reason; absent if nothing was lost.",
    },
  },
};
