import type { RequestTrace } from "./request-trace.ts";

/** The speed of an answer: the time to its first token, or first byte if it came whole, and the rate. */
export interface Speed {
  firstTokenMs: number;
  /** The same from the call that was answered, where others had failed before it. */
  sinceCallMs?: number;
  tokensPerSecond?: number;
}

/** The shortest time from which a rate is computed, in milliseconds. */
const LEAST = 1;

/** The speed of an answer that ends now; undefined if none had begun. */
export function speedOf(
  { began, first, whole, called = began, attempts }: RequestTrace,
  output: number | undefined,
  now: number,
): Speed | undefined {
  if (first === undefined) return undefined;
  // An answer that came whole was generated before its first byte.
  const took = now - (whole ? called : first);
  return {
    firstTokenMs: Math.round(first - began),
    ...(attempts.length > 1 && { sinceCallMs: Math.round(first - called) }),
    ...(output !== undefined &&
      took >= LEAST && { tokensPerSecond: Math.round((output * 10_000) / took) / 10 }),
  };
}
