import { z } from "zod";

const milliseconds = z.int().min(0).max(600_000);

/** The number of requests for text and embeddings that a provider takes at one time. */
export const concurrency = z
  .strictObject({
    maxConcurrent: z
      .int()
      .min(1)
      .describe("Requests that run at one time, shared among the processes of one supervisor."),
    queue: z.int().min(0).optional().describe("Requests that wait for a place. Default: as many as run."),
    wait: milliseconds.optional().describe("The longest wait, in milliseconds. Default: 5000."),
  })
  .describe(
    "Limits text and embeddings only. A request that finds no place in time goes to the next entry of its model.",
  );

/** The reactions to a provider's failures. */
export const routing = z
  .strictObject({
    attempts: z.int().min(1).max(10).default(3).describe("The most calls that one request may come to."),
    retryAmbiguousFailures: z
      .boolean()
      .default(false)
      .describe(
        "True to try another entry after a failure for which the provider may have charged: then both may have.",
      ),
    maxRetryAfterWait: milliseconds
      .default(1_000)
      .describe("The longest pause, in milliseconds, that is waited out where no other entry is left."),
    circuit: z
      .strictObject({
        failures: z
          .int()
          .min(1)
          .default(10)
          .describe("Failures in a row after which an entry is passed over."),
        openFor: milliseconds.default(10_000).describe("Milliseconds until the entry is tried again."),
        maxCooldown: milliseconds
          .default(60_000)
          .describe("The longest pause that a provider may ask for by retry-after, in milliseconds."),
      })
      .prefault({}),
  })
  .prefault({});
