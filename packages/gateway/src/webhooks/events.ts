import type { JsonObject } from "@manifold-gateway/core/codec";
import { CAPS, MODALITIES, type OutboxEvent, toUsd } from "@manifold-gateway/store";
import { z } from "zod";
import { momentOf } from "../http/moments.ts";

const usd = z.number().describe("US dollars.");
const accountId = z.string();
const apiKeyId = z.string().optional().describe("Absent where a session asked.");

/** The events of webhooks, with the `data` of each. */
const data = {
  "key.cap_reached": z
    .object({
      accountId,
      apiKeyId: z.string(),
      cap: z.enum(CAPS),
      window: z.string().describe("`2026-11-21`, `2026-W47`, `2026-11` or `all`, in UTC."),
      percent: z.int().describe("The share of the cap that was reached."),
      limit: usd,
      spent: usd,
    })
    .describe("What a key has spent reaches 80 or 95 percent of a cap: once for each window and limit."),
  "account.balance_low": z
    .object({ accountId, threshold: usd, balance: usd })
    .describe("A balance falls below a threshold, as often as it was above in between."),
  "job.ended": z
    .object({
      jobId: z.string(),
      kind: z.enum(["image", "video", "speech"]),
      accountId,
      apiKeyId,
      model: z.string(),
      status: z.enum(["succeeded", "failed", "cancelled"]),
      usdCost: usd,
      error: z.string().optional().describe("The kind of what went wrong."),
    })
    .describe("An image, video or speech job ended, whatever became of it."),
  "generation.orphaned": z
    .object({
      generationId: z.string(),
      accountId,
      apiKeyId,
      model: z.string(),
      modality: z.enum(MODALITIES),
      why: z
        .enum(["process_died", "contact_lost"])
        .describe("Its process died, or a provider may have worked on it without our hearing of it."),
      usdCost: usd.describe("What was charged for it."),
    })
    .describe("A generation was left behind, and ended without its answer."),
  "entry.circuit_opened": z
    .object({
      entry: z.string().describe("The neutral id of the model entry."),
      model: z.string().optional(),
      provider: z.string().optional(),
    })
    .describe("A model entry fails, and is passed over: at most once an hour for each entry."),
} as const;

/** The type of an event: `job.ended`. */
export type WebhookEvent = keyof typeof data;
/** The types of all events. */
export const WEBHOOK_EVENTS = Object.keys(data) as readonly WebhookEvent[];

/** The type of an event that an operator sends to see whether it arrives. */
const TEST = "webhook.test";
const test = z
  .object({ endpoint: z.string().describe("The name of the endpoint.") })
  .describe("An operator tests the endpoint. It is sent whichever events the endpoint receives.");

/** The bodies of webhooks, by event type. */
export const webhookBodies: Readonly<Record<WebhookEvent | typeof TEST, z.ZodType>> = Object.fromEntries(
  Object.entries({ ...data, [TEST]: test }).map(([type, data]) => [
    type,
    z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data }),
  ]),
) as never;

/** Members that are micro-USD in the store, with their names in US dollars. */
const amounts: Readonly<Record<string, string>> = {
  limit: "limit",
  spent: "spent",
  threshold: "threshold",
  balance: "balance",
  cost: "usdCost",
};

/** The body of a test event for an endpoint. `at` is milliseconds since the epoch. */
export const testBody = (endpoint: string, at: number): string =>
  JSON.stringify({ type: TEST, timestamp: momentOf(at), data: { endpoint } });

/** The body of a webhook. It is the same text for every try of an event. */
export function bodyOf({ type, createdAt, data }: OutboxEvent): string {
  const shown = Object.entries(data).map(([name, value]) => {
    const amount = amounts[name];
    return amount !== undefined && typeof value === "number" ? [amount, toUsd(value)] : [name, value];
  });
  const timestamp = momentOf(createdAt);
  return JSON.stringify({ type, timestamp, data: Object.fromEntries(shown) as JsonObject });
}
