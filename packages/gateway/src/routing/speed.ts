import type { RequestTrace } from "./request-trace.ts";

/** The speed of an answer: until its first token, or its first byte where it came whole, and from there on. */
export interface Speed {
  firstTokenMs: number;
  tokensPerSecond?: number;
}

/** Less time than this says nothing of a rate, in milliseconds. */
const LEAST = 1;

/** The speed of an answer that ends now; nothing where none had begun. */
export function speedOf(
  { began, first, whole, called = began }: RequestTrace,
  output: number | undefined,
  now: number,
): Speed | undefined {
  if (first === undefined) return undefined;
  // An answer that came whole was generated before its first byte.
  const took = now - (whole ? called : first);
  return {
    firstTokenMs: Math.round(first - began),
    ...(output !== undefined && took >= LEAST && { tokensPerSecond: rounded((output * 1000) / took) }),
  };
}

const rounded = (rate: number): number => Math.round(rate * 10) / 10;
