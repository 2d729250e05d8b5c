import type { CapName } from "../ui/caps.ts";
import { type Bucket, endOf, startOf } from "../usage/time.ts";

const DAY = 86_400_000;

/** The windows of caps; a total never starts anew. */
const WINDOWS: Record<CapName, Bucket | undefined> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
  total: undefined,
};

/** When the window of a cap ends, in ms since the epoch. */
export function windowEnd(cap: CapName, now: number): number | undefined {
  const bucket = WINDOWS[cap];
  return bucket && endOf(startOf(now, bucket), bucket);
}

interface Spent {
  limit: number;
  spent: number;
}

/** When a cap is reached at a pace in US dollars a day; undefined if its window ends first, or nothing is spent. */
export function reachedAt(
  cap: CapName,
  { limit, spent }: Spent,
  { perDay, now }: { perDay: number; now: number },
): number | undefined {
  if (spent >= limit) return now;
  if (perDay <= 0) return undefined;
  const at = now + ((limit - spent) / perDay) * DAY;
  const end = windowEnd(cap, now) ?? Number.POSITIVE_INFINITY;
  return at < end && Number.isFinite(at) ? at : undefined;
}

/** A span of time in its two largest units: `6 d 10 h`, `3 h 5 min`. */
export function span(ms: number): string {
  const minutes = Math.max(0, Math.ceil(ms / 60_000));
  const parts: [number, string][] = [
    [Math.floor(minutes / 1_440), "d"],
    [Math.floor(minutes / 60) % 24, "h"],
    [minutes % 60, "min"],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first < 0) return "0 min";
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(" ");
}

/** The cap of which most is spent, as a share of it. */
export function tightest<Cap extends Spent>(
  caps: Readonly<Partial<Record<CapName, Cap | undefined>>>,
): { cap: CapName; share: number; of: Cap } | undefined {
  let most: { cap: CapName; share: number; of: Cap } | undefined;
  for (const [cap, of] of Object.entries(caps) as [CapName, Cap | undefined][]) {
    if (!of) continue;
    const share = of.limit > 0 ? of.spent / of.limit : 1;
    if (!most || share > most.share) most = { cap, share, of };
  }
  return most;
}
