import type { Entered, RatedRequest, Restrictions, Store } from "@manifold-gateway/store";
import { ownerOf } from "../access/authenticate.ts";
import type { RefusalCode } from "../http/codes.ts";
import { logFailure } from "../http/fault.ts";
import { toRateHeaders } from "../http/rate-headers.ts";
import { Refusal } from "../http/refusal.ts";
import type { Place, Places } from "../ports/bounds.ts";
import type { Context } from "../ports/context.ts";
import type { Surface } from "../route.ts";

/**
 * Limits a key to `most` running requests in this process; the sessions of one account share a limit. A key with
 * limits of its own is also counted in the store, together with the requests of other processes.
 */
export function createPlaces(store: Pick<Store, "keyRates">, most: number): Places {
  const running = new Map<string, number>();
  /** Ends of requests that could not be written to the store. */
  let lost: (RatedRequest & { tokens: number })[] = [];

  const free = (owner: string): void => {
    const left = (running.get(owner) ?? 1) - 1;
    if (left > 0) running.set(owner, left);
    else running.delete(owner);
  };

  const enterStore = async (
    context: Context,
    surface: Surface,
    keyId: string,
    rates: Restrictions,
    owner: string,
  ): Promise<Place> => {
    const { services, exchange } = context;
    const admit = (entered: Entered): void => {
      const now = services.now();
      const { sink } = exchange;
      if (surface.rates)
        sink.stamp = { ...sink.stamp, ...toRateHeaders(surface.rates, entered.remaining, now) };
      if (!entered.ok) throw refusalOf(entered);
    };
    const request = () => ({ keyId, id, at: services.now() });
    const id = services.id();
    try {
      const again = lost;
      lost = [];
      for (const one of again) await leave(context, one);
      admit(await store.keyRates.enter(request(), rates));
    } catch (error) {
      free(owner);
      throw error;
    }
    const isFollowed = rates.concurrentRequests !== undefined || rates.tokensPerMinute !== undefined;
    let ended = false;
    return {
      async reserve(tokens) {
        if (rates.tokensPerMinute !== undefined)
          admit(await store.keyRates.reserve({ ...request(), tokens }, rates));
      },
      async end(tokens = 0) {
        if (ended) return;
        ended = true;
        free(owner);
        if (isFollowed) await leave(context, { ...request(), tokens });
      },
    };
  };

  /** The answer must not fail because of this: the end is kept and written before the next request. */
  const leave = (context: Context, end: RatedRequest & { tokens: number }): Promise<void> =>
    store.keyRates.leave(end).catch((error: unknown) => {
      lost.push(end);
      logFailure(context.services.log, error, { request: context.id }, "end of a request not counted");
    });

  return {
    enter(context, surface) {
      const { caller } = context;
      const owner = ownerOf(caller);
      const before = running.get(owner) ?? 0;
      if (before >= most) throw tooManyAtOnce(most);
      running.set(owner, before + 1);
      const { keyId, restrictions } = caller;
      if (keyId !== undefined && restrictions && isRated(restrictions))
        return enterStore(context, surface, keyId, restrictions, owner);
      let ended = false;
      return {
        reserve: () => undefined,
        end() {
          if (!ended) free(owner);
          ended = true;
          return undefined;
        },
      };
    },
  };
}

const isRated = ({ requestsPerMinute, tokensPerMinute, concurrentRequests }: Restrictions): boolean =>
  (requestsPerMinute ?? tokensPerMinute ?? concurrentRequests) !== undefined;

const tooManyAtOnce = (limit: number): Refusal =>
  new Refusal(
    "too_many_concurrent_requests",
    `${limit} requests are in flight, which is the limit. Try again when one has ended.`,
    { headers: { "retry-after": "1" } },
  );

function refusalOf({ by, limit, wait }: Extract<Entered, { ok: false }>): Refusal {
  if (by === "concurrency") return tooManyAtOnce(limit);
  const code: RefusalCode = by === "requests" ? "too_many_requests" : "too_many_tokens";
  const seconds = Math.max(1, Math.ceil(wait / 1_000));
  return new Refusal(
    code,
    `The limit of ${limit} ${by} per minute of this API key is reached. Try again in ${seconds} s.`,
    { headers: { "retry-after": String(seconds) } },
  );
}
