import type { Left, RatesLeft } from "@manifold-gateway/store";

type Names = readonly [limit: string, remaining: string, reset: string];

/** Headers that say what is left of the limits of a key. */
export interface RateHeaders {
  requests: Names;
  tokens: Names;
  /**
   * The form in which it says when all of a limit is there again: as the time until then (`6m0s`), or as a moment.
   */
  reset: "duration" | "moment";
}

/** The spelling of surfaces whose field has no other. */
export const usualRateHeaders: RateHeaders = {
  requests: ["x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
  tokens: ["x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"],
  reset: "duration",
};

export function toRateHeaders(spelling: RateHeaders, left: RatesLeft, now: number): Record<string, string> {
  const headers: Record<string, string> = {};
  const tell = ([limit, remaining, reset]: Names, of: Left): void => {
    headers[limit] = String(of.limit);
    headers[remaining] = String(of.remaining);
    headers[reset] =
      spelling.reset === "moment" ? new Date(now + of.reset).toISOString() : toDuration(of.reset);
  };
  if (left.requests) tell(spelling.requests, left.requests);
  if (left.tokens) tell(spelling.tokens, left.tokens);
  return headers;
}

/** `120ms`, `1.5s`, `1m5s`. */
function toDuration(ms: number): string {
  if (ms > 0 && ms < 1_000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes > 0 ? `${minutes}m` : ""}${(ms - minutes * 60_000) / 1_000}s`;
}
