import type { RateLeft, RatesLeft } from "@manifold-gateway/store";
import { momentOf } from "./moments.ts";

type Names = readonly [limit: string, remaining: string, reset: string];

/** The headers that report what is left of a key's limits. */
export interface RateHeaders {
  requests: Names;
  tokens: Names;
  /** The format of the time at which a limit is fully available again: a duration (`6m0s`) or a date. */
  reset: "duration" | "moment";
}

/** The headers of surfaces whose vendor has none. */
export const usualRateHeaders: RateHeaders = {
  requests: ["x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
  tokens: ["x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"],
  reset: "duration",
};

export function toRateHeaders(spelling: RateHeaders, rates: RatesLeft, now: number): Record<string, string> {
  const headers: Record<string, string> = {};
  const addHeaders = ([limit, remaining, reset]: Names, of: RateLeft): void => {
    headers[limit] = String(of.limit);
    headers[remaining] = String(of.remaining);
    headers[reset] = spelling.reset === "moment" ? momentOf(now + of.reset) : toDuration(of.reset);
  };
  if (rates.requests) addHeaders(spelling.requests, rates.requests);
  if (rates.tokens) addHeaders(spelling.tokens, rates.tokens);
  return headers;
}

/** Formats a duration as `120ms`, `1.5s` or `1m5s`. */
function toDuration(ms: number): string {
  if (ms > 0 && ms < 1_000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes > 0 ? `${minutes}m` : ""}${(ms - minutes * 60_000) / 1_000}s`;
}
