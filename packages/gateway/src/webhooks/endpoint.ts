import type { AlertOptions, OutboxEvent } from "@manifold-gateway/store";
import { checkOptions } from "../check-options.ts";
import { webhookRules } from "../option-rules.ts";
import type { WebhookEvent } from "./events.ts";

/** A destination of events. */
export interface WebhookEndpoint {
  /** A name for logs, metrics and the stored events. */
  id: string;
  /** The operator chose it, so it may be a private address. Redirects are not followed. */
  url: string;
  /** Secrets, `whsec_…`. There is a signature with each. */
  secrets: readonly string[];
  /** The types of events that it receives. */
  events: readonly WebhookEvent[];
  /** If present, only events of this account are sent. */
  account?: string;
  /** The balance in micro-USD below which `account.balance_low` is sent. */
  lowBalance: number;
}

/** The shares of a cap, in percent, that cause an event. */
const SHARES = [80, 95];

/** The events that a store must write for these endpoints. Throws a `TypeError` that names what is wrong with them. */
export function alertsFor(endpoints: readonly WebhookEndpoint[]): AlertOptions {
  checkOptions("alertsFor", webhookRules, { webhooks: endpoints });
  const isWanted = (type: WebhookEvent): boolean => endpoints.some(({ events }) => events.includes(type));
  const low = endpoints.filter(({ events }) => events.includes("account.balance_low"));
  return {
    caps: isWanted("key.cap_reached") ? SHARES : [],
    balances: [...new Set(low.map(({ lowBalance }) => lowBalance))],
    jobs: isWanted("job.ended"),
    orphans: isWanted("generation.orphaned"),
  };
}

/** Checks whether an endpoint receives an event. */
export const takes = (
  { events, account, lowBalance }: WebhookEndpoint,
  { type, accountId, data }: OutboxEvent,
): boolean =>
  events.includes(type as WebhookEvent) &&
  (account === undefined || account === accountId) &&
  (type !== "account.balance_low" || data.threshold === lowBalance);
