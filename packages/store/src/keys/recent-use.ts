import { MINUTE } from "../engine/durations.ts";
import type { Restrictions } from "./restrictions.ts";

/** The restrictions that count use: requests, tokens and concurrency. */
export type Rates = Pick<Restrictions, "requestsPerMinute" | "tokensPerMinute" | "concurrentRequests">;

/** The use of a key in the last minute, and its running requests. */
export interface RecentUse {
  /** The requests and tokens of each span of time, in ascending order. */
  readonly spans: readonly (readonly [span: number, requests: number, tokens: number])[];
  /** The running requests: the process of each, and the tokens reserved for it. */
  readonly running: Readonly<Record<string, readonly [owner: string, tokens: number]>>;
}

export const nothingUsed: RecentUse = { spans: [], running: {} };

/**
 * The length of a span, whose requests are counted together, in ms. A span counts until a minute after its end, so that
 * no sixty seconds exceed the limit, wherever they begin; used capacity returns up to a span late.
 */
const SPAN = 5_000;
const REQUESTS = 1;
const TOKENS = 2;

/** The rest of a limit. */
export interface RateLeft {
  /** The most requests or tokens in any sixty seconds. */
  limit: number;
  /** How many of them are left now; never negative. */
  remaining: number;
  /** The milliseconds until the whole limit is available again. */
  reset: number;
}

/** The rests of a key's limits by minute, as answers have them in headers. */
export interface RatesLeft {
  /** Absent without a limit of requests. */
  requests?: RateLeft;
  /** Absent without a limit of tokens. */
  tokens?: RateLeft;
}

/** The admission or refusal of a request, and the remaining limits. */
export type Entered =
  | { ok: true; remaining: RatesLeft }
  | {
      ok: false;
      /** The limit that refuses the request. */
      by: "requests" | "tokens" | "concurrency";
      /** The value of that limit: requests or tokens a minute, or requests at one time. */
      limit: number;
      /** The milliseconds after which a retry may succeed. */
      wait: number;
      remaining: RatesLeft;
    };

const spanOf = (at: number): number => Math.floor(at / SPAN);
const goneAt = (span: number): number => (span + 1) * SPAN + MINUTE;

/** The use without expired spans. */
export const recentAt = (use: RecentUse, at: number): RecentUse => ({
  ...use,
  spans: use.spans.filter(([span]) => goneAt(span) > at),
});

/** Admits a request that begins at `at`, or refuses it; `use` must be that of `at`. */
export function enterUse(
  use: RecentUse,
  rates: Rates,
  { id, owner, at }: { id: string; owner: string; at: number },
): { use: RecentUse; entered: Entered } {
  if (use.running[id]) return { use, entered: { ok: true, remaining: leftOf(use, rates, at) } };
  const refused = refusedBy(use, rates, at);
  if (refused) return { use, entered: { ok: false, ...refused, remaining: leftOf(use, rates, at) } };
  const isFollowed = rates.concurrentRequests !== undefined || rates.tokensPerMinute !== undefined;
  const counted = {
    spans: added(use.spans, at, 1, 0),
    running: isFollowed ? { ...use.running, [id]: [owner, 0] as const } : use.running,
  };
  return { use: counted, entered: { ok: true, remaining: leftOf(counted, rates, at) } };
}

/** Reserves tokens for an admitted request. They may exceed the rest of the limit, if any is left. */
export function reserveUse(
  use: RecentUse,
  rates: Rates,
  { id, owner, tokens, at }: { id: string; owner: string; tokens: number; at: number },
): { use: RecentUse; entered: Entered } {
  const { [id]: _, ...others } = use.running;
  const refused = tokensRefused({ ...use, running: others }, rates, at);
  if (refused) return { use, entered: { ok: false, ...refused, remaining: leftOf(use, rates, at) } };
  const reserved = { ...use, running: { ...others, [id]: [owner, tokens] as const } };
  return { use: reserved, entered: { ok: true, remaining: leftOf(reserved, rates, at) } };
}

/** Ends a request: its tokens count from now on. Does nothing if the request is not running. */
export function leaveUse(
  use: RecentUse,
  { id, tokens, at }: { id: string; tokens: number; at: number },
): RecentUse {
  const { [id]: running, ...others } = use.running;
  if (!running) return use;
  return { spans: tokens > 0 ? added(use.spans, at, 0, tokens) : use.spans, running: others };
}

function added(spans: RecentUse["spans"], at: number, requests: number, tokens: number): RecentUse["spans"] {
  const now = spanOf(at);
  const before = spans.find(([span]) => span === now) ?? [now, 0, 0];
  const rest = spans.filter(([span]) => span !== now);
  // Sort, because the clocks of processes differ a little.
  return [...rest, [now, before[REQUESTS] + requests, before[TOKENS] + tokens] as const].sort(
    ([a], [b]) => a - b,
  );
}

const sumOf = (use: RecentUse, column: 1 | 2): number =>
  use.spans.reduce((sum, span) => sum + span[column], 0);
const reservedIn = ({ running }: RecentUse): number =>
  Object.values(running).reduce((sum, [, tokens]) => sum + tokens, 0);

type Refused = Omit<Extract<Entered, { ok: false }>, "ok" | "remaining">;

function refusedBy(use: RecentUse, rates: Rates, at: number): Refused | undefined {
  const { requestsPerMinute: requests, concurrentRequests: atOnce } = rates;
  if (requests !== undefined && sumOf(use, REQUESTS) >= requests)
    return { by: "requests", limit: requests, wait: waitFor(use, REQUESTS, requests, at) };
  if (atOnce !== undefined && Object.keys(use.running).length >= atOnce)
    return { by: "concurrency", limit: atOnce, wait: SOON };
  return tokensRefused(use, rates, at);
}

/** The wait in ms for running requests, whose end is unknown. */
const SOON = 1_000;

function tokensRefused(use: RecentUse, { tokensPerMinute: limit }: Rates, at: number): Refused | undefined {
  if (limit === undefined || sumOf(use, TOKENS) + reservedIn(use) < limit) return undefined;
  const wait = sumOf(use, TOKENS) < limit ? SOON : waitFor(use, TOKENS, limit, at);
  return { by: "tokens", limit, wait };
}

/** The milliseconds until the use falls below the limit. */
function waitFor(use: RecentUse, column: 1 | 2, limit: number, at: number): number {
  let sum = sumOf(use, column);
  for (const span of use.spans) {
    sum -= span[column];
    if (sum < limit) return goneAt(span[0]) - at;
  }
  return SPAN;
}

function leftOf(use: RecentUse, rates: Rates, at: number): RatesLeft {
  const of = (column: 1 | 2, limit: number, reserved: number): RateLeft => {
    const last = use.spans.findLast((span) => span[column] > 0)?.[0];
    const used = sumOf(use, column) + reserved;
    return { limit, remaining: Math.max(0, limit - used), reset: last === undefined ? 0 : goneAt(last) - at };
  };
  const { requestsPerMinute, tokensPerMinute } = rates;
  return {
    ...(requestsPerMinute !== undefined && { requests: of(REQUESTS, requestsPerMinute, 0) }),
    ...(tokensPerMinute !== undefined && { tokens: of(TOKENS, tokensPerMinute, reservedIn(use)) }),
  };
}
