import type { Entered, RatedRequest, Restrictions, Store } from "@manifold-gateway/store";
import { rules } from "../access/restriction-rules.ts";
import { logFailure } from "../http/fault.ts";
import { toRateHeaders } from "../http/rate-headers.ts";
import { Refusal } from "../http/refusal.ts";
import type { RatedContext } from "../ports/bounds.ts";

/** A running request of a key with limits of its own. */
export interface RatedSlot {
  context: RatedContext;
  keyId: string;
  rates: Restrictions;
  /** The id under which the store counts it. */
  id: string;
}

type RatedEnd = RatedRequest & { tokens: number };

/** Counts the requests of keys with limits of their own in the store. */
export class StoreCounter {
  readonly #store: Pick<Store, "keyRates">;
  /** Ends of requests that could not be written to the store. */
  #lost: RatedEnd[] = [];

  constructor(store: Pick<Store, "keyRates">) {
    this.#store = store;
  }

  async enter(of: RatedSlot): Promise<void> {
    const lost = this.#lost;
    this.#lost = [];
    for (const end of lost) await this.#write(end, of.context);
    admit(of, await this.#store.keyRates.enter(requestOf(of), of.rates));
  }

  async reserve(of: RatedSlot, tokens: number): Promise<void> {
    if (of.rates.tokensPerMinute !== undefined)
      admit(of, await this.#store.keyRates.reserve({ ...requestOf(of), tokens }, of.rates));
  }

  async leave(of: RatedSlot, tokens: number): Promise<void> {
    if (of.rates.concurrentRequests !== undefined || of.rates.tokensPerMinute !== undefined)
      await this.#write({ ...requestOf(of), tokens }, of.context);
  }

  /** The answer must not fail because of this: the end is kept and written before the next request. */
  #write(end: RatedEnd, { services, id }: RatedContext): Promise<void> {
    return this.#store.keyRates.leave(end).catch((error: unknown) => {
      this.#lost.push(end);
      logFailure(services.log, error, { request: id }, "end of a request not counted");
    });
  }
}

const requestOf = ({ keyId, id, context }: RatedSlot): RatedRequest => ({
  keyId,
  id,
  at: context.services.now(),
});

/** Reports what is left of the limits in the answer's headers. Throws if one is reached. */
function admit({ context }: RatedSlot, entered: Entered): void {
  const { services, exchange, surface } = context;
  const { sink } = exchange;
  if (surface.rates)
    sink.stamp = { ...sink.stamp, ...toRateHeaders(surface.rates, entered.remaining, services.now()) };
  if (!entered.ok) throw refusalOf(entered);
}

export const tooManyAtOnce = (limit: number): Refusal =>
  new Refusal(
    rules.concurrentRequests.code,
    `The limit of requests in flight, ${limit}, is reached. Try again when one has ended.`,
    { headers: { "retry-after": "1" } },
  );

function refusalOf({ by, limit, wait }: Extract<Entered, { ok: false }>): Refusal {
  if (by === "concurrency") return tooManyAtOnce(limit);
  const { code } = by === "requests" ? rules.requestsPerMinute : rules.tokensPerMinute;
  const seconds = Math.max(1, Math.ceil(wait / 1_000));
  return new Refusal(
    code,
    `The limit of ${by} per minute of this API key, ${limit}, is reached. Try again in ${seconds} s.`,
    { headers: { "retry-after": String(seconds) } },
  );
}
