import { describeFault } from "./connect-hints.ts";

/** The database could not be reached, was busy for too long, or cannot write. The caller's answer is a 503. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  constructor(cause: unknown) {
    super(`the store is unavailable: ${describeFault(cause)}`, { cause });
  }
}

/** The database can be reached, and not be used as it is; the message says what was found and what is wanted. */
export class StoreUnsuitable extends Error {
  override readonly name = "StoreUnsuitable";
  constructor(host: string, refusal: string) {
    super(`the store at ${host} cannot be used: ${refusal}`);
  }
}

/** The number of tries, including the first. */
const TRIES = 5;
const FIRST_WAIT_MS = 20;

/** The wait after try number `tried` (from 1) failed, or `undefined` when that was the last. */
export function waitAfter(tried: number): number | undefined {
  // Full jitter: processes that collided once must not collide again together.
  return tried < TRIES ? FIRST_WAIT_MS * 2 ** tried * (0.25 + Math.random()) : undefined;
}

const CONFLICT_TRIES = 30;
const LONGEST_WAIT_MS = 320;

/** The wait after a conflict. More tries are worthwhile, because with each conflict other work succeeds. */
export function waitAfterConflict(tried: number): number | undefined {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** tried, LONGEST_WAIT_MS);
  return tried < CONFLICT_TRIES ? wait * Math.random() : undefined;
}
