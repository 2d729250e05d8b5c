import type { AlertOptions, OutboxEvent } from "@manifold-gateway/store";
import type { WebhookEvent } from "./events.ts";

/** Where events are sent to. */
export interface WebhookEndpoint {
  /** A name for logs, metrics and what is kept of it. */
  id: string;
  /** The operator's own: it may be a private address. Redirects are not followed. */
  url: string;
  /** `whsec_…`; with several, there is a signature by each. */
  secrets: readonly string[];
  events: readonly WebhookEvent[];
  /** Only events of this account. */
  account?: string;
  /** Micro-USD: the balance below which `account.balance_low` is sent. */
  lowBalance: number;
}

/** The shares of a cap that are events, in percent. */
const SHARES = [80, 95];

/** The events that a store has to write for these endpoints. */
export function alertsFor(endpoints: readonly WebhookEndpoint[]): AlertOptions {
  const isWanted = (type: WebhookEvent): boolean => endpoints.some(({ events }) => events.includes(type));
  const low = endpoints.filter(({ events }) => events.includes("account.balance_low"));
  return {
    caps: isWanted("key.cap_reached") ? SHARES : [],
    balances: [...new Set(low.map(({ lowBalance }) => lowBalance))],
    jobs: isWanted("job.ended"),
    orphans: isWanted("generation.orphaned"),
  };
}

/** Checks whether an endpoint is to have an event. */
export const takes = (
  { events, account, lowBalance }: WebhookEndpoint,
  { type, accountId, data }: OutboxEvent,
): boolean =>
  events.includes(type as WebhookEvent) &&
  (account === undefined || account === accountId) &&
  (type !== "account.balance_low" || data.threshold === lowBalance);
