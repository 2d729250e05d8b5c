import { z } from "zod";

const milliseconds = z.int().min(0).max(600_000);

/** The number of requests that a provider handles at one time, of those whose callers wait for the answer. */
export const concurrency = z
  .strictObject({
    maxConcurrent: z
      .int()
      .min(1)
      .describe("Running requests at one time, divided among the processes of one supervisor."),
    queue: z.int().min(0).optional().describe("Further requests that wait. Default: the same number."),
    wait: milliseconds.optional().describe("The longest wait, in milliseconds. Default: 5000."),
  })
  .describe(
    "Limits text, embeddings, transcripts, speech, rankings and moderation. A request that waits too long goes to the next entry of its model.",
  );

/** The settings for a provider's failures. */
export const routing = z
  .strictObject({
    attempts: z.int().min(1).max(10).default(3).describe("The maximum number of calls for one request."),
    retryAmbiguousFailures: z
      .boolean()
      .default(false)
      .describe(
        "True to try another entry after a failure for which the provider may have charged: then both may have.",
      ),
    maxRetryAfterWait: milliseconds
      .default(1_000)
      .describe("The longest retry-after, in milliseconds, that is waited for when no other entry is left."),
    learnFromRefusals: z
      .boolean()
      .default(true)
      .describe(
        "True to adapt a translated request to its provider's refusal and send it once more, and to adapt later requests to that model for a day.",
      ),
    circuit: z
      .strictObject({
        failures: z
          .int()
          .min(1)
          .default(10)
          .describe("Consecutive failures after which an entry is skipped."),
        openFor: milliseconds.default(10_000).describe("Milliseconds for which the entry is skipped."),
        maxCooldown: milliseconds
          .default(60_000)
          .describe("The longest pause that a provider may request by retry-after, in milliseconds."),
      })
      .prefault({}),
  })
  .prefault({});
