import { Slots } from "@manifold-gateway/providers/routing";
import { paramOf, Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";

/**
 * The time for all files of a request, in milliseconds, including the wait for its turn. It is well below the time
 * after which a repeated request takes the earlier one for lost: otherwise both would run and be charged.
 */
export const FETCH_TIMEOUT = 30_000;
/** The interval between checks whether the client has left, in milliseconds. */
const CHECK_MS = 250;

/**
 * The slots of this process, since fetched files are in its memory. An account with slow files leaves room for others.
 */
const slots = new Slots({ total: 8, each: 2 });

/** Runs `gather`, for files of which `field` is the first, in its turn. Throws if it takes too long or the client leaves. */
export async function inTime<T>(
  { exchange, caller }: Pick<Context, "exchange" | "caller">,
  field: string,
  gather: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(FETCH_TIMEOUT);
  const gone = new AbortController();
  const looking = setInterval(() => {
    if (exchange.sink.closed) gone.abort(new Refusal("incomplete_body", "The client disconnected."));
  }, CHECK_MS);
  const signal = AbortSignal.any([late, gone.signal]);
  try {
    return await Promise.race([slots.run(caller.accountId, () => gather(signal), signal), ended(signal)]);
  } catch (error) {
    if (gone.signal.aborted) throw gone.signal.reason;
    if (!late.aborted) throw error;
    const errors = [`${field}: the files could not be fetched within ${FETCH_TIMEOUT / 1000} s.`];
    throw new Refusal("unusable_input", errors, { param: paramOf(errors) });
  } finally {
    clearInterval(looking);
    // Stops other fetches once the outcome is known, such as after one of them failed.
    gone.abort(new Refusal("incomplete_body", "The files are no longer needed."));
  }
}

/** Rejects when the signal aborts; work that ignores the signal goes on by itself. */
const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
