import { Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { createTurns } from "../turns.ts";

/**
 * The time the files of a request may take in all, in milliseconds, waiting for a turn included. Well below the time
 * after which a repeated request takes one that has no generation yet for lost: else both would be run and charged.
 */
export const PATIENCE = 30_000;
/** The interval between looks at whether the client is still there, in milliseconds. */
const LOOK = 250;

/** Of this process: what is fetched is held in memory. Slow files of one account leave places to others. */
const turns = createTurns({ most: 8, each: 2 });

/** Gathers for a request, in its turn, until it takes too long or the client leaves. */
export async function inTime<T>(
  { exchange, caller }: Pick<Context, "exchange" | "caller">,
  gather: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(PATIENCE);
  const gone = new AbortController();
  const looking = setInterval(() => {
    if (exchange.sink.closed) gone.abort(new Refusal("incomplete_body", "The client disconnected."));
  }, LOOK);
  const signal = AbortSignal.any([late, gone.signal]);
  try {
    return await Promise.race([turns(caller.accountId, () => gather(signal), signal), ended(signal)]);
  } catch (error) {
    if (gone.signal.aborted) throw gone.signal.reason;
    if (!late.aborted) throw error;
    throw new Refusal(
      "unusable_input",
      `input: its files could not be fetched within ${PATIENCE / 1000} s.`,
      {
        param: "input",
      },
    );
  } finally {
    clearInterval(looking);
    // Nothing goes on for an answer that is given: where one file fails, the others are let go.
    gone.abort(new Refusal("incomplete_body", "The files are no longer needed."));
  }
}

/** Rejects as the signal does: what is being done need not hear of it. */
const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
