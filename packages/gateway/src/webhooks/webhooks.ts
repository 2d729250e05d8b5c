import { type Transport, UpstreamFault } from "@manifold-gateway/providers";
import type { Delivery, NewEvent, Store } from "@manifold-gateway/store";
import { logFailure } from "../fault.ts";
import { type Clock, systemClock } from "../jobs/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Observer } from "../ports/observer.ts";
import { takes, type WebhookEndpoint } from "./endpoint.ts";
import { bodyOf } from "./events.ts";
import { OFF_AFTER, waitAfter } from "./schedule.ts";
import { signatureHeaders } from "./sign.ts";

export interface WebhooksOptions {
  store: Pick<Store, "outbox">;
  transport: Transport;
  endpoints: readonly WebhookEndpoint[];
  log: Log;
  observer?: Pick<Observer, "delivered"> | undefined;
  clock?: Clock;
  random?: () => number;
}

/** Delivers what is in the store's outbox. Any number of processes do it together: each delivery is claimed by one. */
export interface Webhooks {
  /** Writes an event of this process, as soon as the database takes it. */
  add(event: NewEvent): void;
  /** Delivers what is due. What fails is due again later. */
  deliver(): Promise<void>;
  /** Looks for what is due from now on; where there is no endpoint, nothing is asked of the database. */
  start(): void;
  /**
   * Delivers to these endpoints from now on. What waits for one that is not among them stays in the outbox, for the
   * case that it comes back.
   */
  follow(endpoints: readonly WebhookEndpoint[]): void;
  /** Breaks off what is under way: another process delivers it in its place. */
  close(): Promise<void>;
}

/** The interval between looks, in ms. */
const EVERY = 1_000;
/** The most that an answer may take to come, and the whole of a delivery with its connection, in ms. */
const TIMEOUT = 15_000;
const WHOLE = 20_000;
/** The time for which a claimed delivery is left to its process, in ms. */
const LEASE = 60_000;
/** Deliveries to one endpoint at one time, and events that are spread in one commit. */
const AT_ONCE = 8;
const SPREAD = 100;
/** Events that wait for the database at one time; beyond it the oldest are forgotten. */
const ROOM = 1_000;
/** The status by which an endpoint says that it wants no events any more. */
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
  /** Counts the starts: each begins a round of looks. */
  let round = 0;
  let waiting: NewEvent[] = [];
  /** Those that were switched off when that was last looked at. */
  let off = new Set<string>();
  /** The last look failed, which is logged once. */
  let isAway = false;
  let looking: Promise<void> | undefined;
  /** The endpoints that are being served, by id. Each has its own pace: a slow one delays no other. */
  const serving = new Map<string, Promise<void>>();
  let cancel: (() => void) | undefined;

  /** Sends one, and gives the status of the answer or the kind of fault. */
  const send = async ({ url, secrets }: WebhookEndpoint, delivery: Delivery): Promise<number | string> => {
    const { origin, pathname, search } = new URL(url);
    const body = bodyOf(delivery);
    const timestamp = Math.floor(clock.now() / 1_000);
    try {
      const { status, body: answer } = await transport.send({
        ...{ origin, path: pathname + search, method: "POST", body },
        headers: {
          "content-type": "application/json",
          "user-agent": "manifold",
          ...signatureHeaders({ id: delivery.id, timestamp, body }, secrets),
        },
        ...{ firstByte: TIMEOUT, idle: TIMEOUT },
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(WHOLE)]),
      });
      // What it says beside the status is of no use, however much it is.
      answer.cancel();
      return status;
    } catch (error) {
      if (error instanceof UpstreamFault) return error.kind;
      throw error;
    }
  };

  /** True where the endpoint took it. */
  const deliverOne = async (endpoint: WebhookEndpoint, delivery: Delivery): Promise<boolean> => {
    const outcome = await send(endpoint, delivery);
    // What was broken off here is delivered by another process, once the claim has run out.
    if (stopped.signal.aborted) return false;
    const { type, tries, id: event } = delivery;
    observer?.delivered?.({ endpoint: endpoint.id, type, outcome });
    const fields = { endpoint: endpoint.id, event, type, outcome, tries };
    if (typeof outcome === "number" && outcome >= 200 && outcome < 300) {
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

  /** Delivers to one endpoint, in their order as far as it takes them; where it takes none, the others wait. */
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

  /** Finds what is due, and begins to deliver it. */
  const look = (): Promise<void> => {
    looking ??= lookOnce()
      .catch(failed)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const atRest = async (): Promise<void> => {
    await looking;
    await Promise.all(serving.values());
  };

  /** Looks again and again, until another round of looks has begun. */
  const wake = async (own: number): Promise<void> => {
    await look();
    if (own === round && !stopped.signal.aborted) cancel = clock.after(EVERY, () => void wake(own));
  };

  const start = (): void => {
    cancel?.();
    round += 1;
    const own = round;
    if (endpoints.length === 0) return;
    // One that was switched off may have been mended: it is tried again.
    outbox
      .switchOn(endpoints.map(({ id }) => id))
      .catch((error: unknown) => logFailure(log, error, {}, "webhooks not delivered"))
      .finally(() => {
        off = new Set();
        void wake(own);
      });
  };

  return {
    add(event) {
      if (endpoints.length > 0) waiting = [...waiting.slice(1 - ROOM), event];
    },
    async deliver() {
      await look();
      await atRest();
    },
    start,
    follow(next) {
      endpoints = next;
      start();
    },
    async close() {
      stopped.abort();
      cancel?.();
      await atRest();
    },
  };
}
