import type { Transport } from "@manifold-gateway/providers";
import type { Delivery, NewEvent, Store } from "@manifold-gateway/store";
import { logFailure } from "../http/fault.ts";
import { type Clock, systemClock } from "../jobs/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Observer } from "../ports/observer.ts";
import { takes, type WebhookEndpoint } from "./endpoint.ts";
import { bodyOf } from "./events.ts";
import { OFF_AFTER, waitAfter } from "./schedule.ts";
import { isAccepted, sendEvent } from "./send.ts";

export interface WebhooksOptions {
  store: Pick<Store, "outbox">;
  transport: Transport;
  endpoints: readonly WebhookEndpoint[];
  log: Log;
  observer?: Pick<Observer, "delivered"> | undefined;
  clock?: Clock;
  random?: () => number;
}

/** Delivers the events of the store's outbox. Several processes share the work: each delivery is claimed by one. */
export interface Webhooks {
  /** Writes an event of this process as soon as the database is available. */
  add(event: NewEvent): void;
  /** Delivers the due events. A failed delivery is due again later. */
  deliver(): Promise<void>;
  /** Starts looking for due events. Without endpoints, it does not query the database. */
  start(): void;
  /**
   * Replaces the endpoints. Events for an endpoint that is no longer among them stay in the outbox, in case it returns.
   */
  follow(endpoints: readonly WebhookEndpoint[]): void;
  /** Aborts running deliveries: another process takes them over. */
  close(): Promise<void>;
}

/** The interval between two looks, in ms. */
const EVERY = 1_000;
/** How long a claimed delivery belongs to its process, in ms. */
const LEASE = 60_000;
/** The most simultaneous deliveries to one endpoint, and the most events that one commit assigns to endpoints. */
const AT_ONCE = 8;
const SPREAD = 100;
/** The most events that wait for the database. Beyond that, the oldest are dropped. */
const ROOM = 1_000;
/** The status by which an endpoint asks for no further events. */
const GONE = 410;

export function createWebhooks({
  store: { outbox },
  transport,
  endpoints: first,
  log,
  observer,
  clock = systemClock,
  random = Math.random,
}: WebhooksOptions): Webhooks {
  const stopped = new AbortController();
  let endpoints = first;
  /** The number of starts. Each begins a new loop and ends the earlier one. */
  let round = 0;
  let waiting: NewEvent[] = [];
  /** The endpoints that were switched off at the last look. */
  let off = new Set<string>();
  /** The last look failed. Only the first failure is logged. */
  let isAway = false;
  let looking: Promise<void> | undefined;
  /** Running deliveries by endpoint. Each endpoint has its own, so that a slow one does not delay the others. */
  const serving = new Map<string, Promise<void>>();
  let cancel: (() => void) | undefined;

  /** Sends a delivery. Returns the status of the answer, or the kind of fault. */
  const send = async (endpoint: WebhookEndpoint, delivery: Delivery): Promise<number | string> => {
    const event = { id: delivery.id, body: bodyOf(delivery) };
    const outcome = await sendEvent(endpoint, event, {
      transport,
      now: clock.now(),
      signal: stopped.signal,
    });
    return typeof outcome === "number" ? outcome : outcome.kind;
  };

  /** Delivers once and records the outcome. True if the endpoint accepted the event. */
  const deliverOne = async (endpoint: WebhookEndpoint, delivery: Delivery): Promise<boolean> => {
    const outcome = await send(endpoint, delivery);
    // An aborted delivery is left to another process, which gets it when the claim expires.
    if (stopped.signal.aborted) return false;
    const { type, tries, id: event } = delivery;
    observer?.delivered?.({ endpoint: endpoint.id, type, outcome });
    const fields = { endpoint: endpoint.id, event, type, outcome, tries };
    if (isAccepted(outcome)) {
      await outbox.delivered(delivery);
      return true;
    }
    const at = clock.now();
    const isGone = outcome === GONE;
    const wait = isGone ? undefined : waitAfter(tries, random());
    const since = await outbox.failed(delivery, at, wait === undefined ? undefined : at + wait);
    if (wait === undefined) log.error(fields, "webhook given up");
    else log.warn({ ...fields, againMs: wait }, "webhook not delivered");
    if ((isGone || at - since >= OFF_AFTER) && (await outbox.switchOff(endpoint.id, at)))
      log.error({ endpoint: endpoint.id, outcome, failingMs: at - since }, "webhook endpoint switched off");
    return false;
  };

  /** Delivers to one endpoint in the order of events. It stops when no delivery succeeds; the rest waits. */
  const serve = async (endpoint: WebhookEndpoint): Promise<void> => {
    for (;;) {
      const now = clock.now();
      const terms = { endpoint: endpoint.id, now, until: now + LEASE, most: AT_ONCE };
      const claimed = await outbox.claim(terms);
      const taken = await Promise.all(claimed.map((one) => deliverOne(endpoint, one)));
      if (!taken.includes(true) || stopped.signal.aborted || !endpoints.includes(endpoint)) return;
    }
  };

  const failed = (error: unknown): void => {
    if (!isAway && !stopped.signal.aborted) logFailure(log, error, {}, "webhooks not delivered");
    isAway = true;
  };

  const begin = (endpoint: WebhookEndpoint): void => {
    const { id } = endpoint;
    if (serving.has(id)) return;
    const served = serve(endpoint).then(() => {
      isAway = false;
    }, failed);
    serving.set(
      id,
      served.finally(() => serving.delete(id)),
    );
  };

  const lookOnce = async (): Promise<void> => {
    if (endpoints.length === 0) return;
    for (; waiting[0]; waiting = waiting.slice(1)) await outbox.add(waiting[0]);
    const served = endpoints.map(({ id }) => id).filter((id) => !off.has(id));
    if (!(await outbox.isDue(served, clock.now()))) {
      isAway = false;
      return;
    }
    off = new Set(await outbox.off());
    const on = (): WebhookEndpoint[] => endpoints.filter(({ id }) => !off.has(id));
    const recipients: Parameters<typeof outbox.spread>[0] = (event) =>
      on()
        .filter((endpoint) => takes(endpoint, event))
        .map(({ id }) => id);
    while ((await outbox.spread(recipients, clock.now(), SPREAD)) === SPREAD);
    for (const endpoint of on()) begin(endpoint);
  };

  /** Looks for due events and begins to deliver them. */
  const look = (): Promise<void> => {
    looking ??= lookOnce()
      .catch(failed)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const settled = async (): Promise<void> => {
    await looking;
    await Promise.all(serving.values());
  };

  /** Looks periodically, until a later start replaces this loop. */
  const wake = async (thisRound: number): Promise<void> => {
    await look();
    if (thisRound === round && !stopped.signal.aborted)
      cancel = clock.after(EVERY, () => void wake(thisRound));
  };

  const start = (): void => {
    cancel?.();
    round += 1;
    const thisRound = round;
    if (endpoints.length === 0) return;
    // An endpoint that was switched off may work again, so it is tried.
    outbox
      .switchOn(endpoints.map(({ id }) => id))
      .catch((error: unknown) => logFailure(log, error, {}, "webhooks not delivered"))
      .finally(() => {
        off = new Set();
        void wake(thisRound);
      });
  };

  return {
    add(event) {
      if (endpoints.length > 0) waiting = [...waiting.slice(1 - ROOM), event];
    },
    async deliver() {
      await look();
      await settled();
    },
    start,
    follow(next) {
      endpoints = next;
      start();
    },
    async close() {
      stopped.abort();
      cancel?.();
      await settled();
    },
  };
}
