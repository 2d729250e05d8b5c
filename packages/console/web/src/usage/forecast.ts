const DAY = 86_400_000;
/** How far back the pace is taken from, in days. */
const PACE_DAYS = 7;

/** What was spent at a moment. */
export interface Spent {
  at: string;
  usdCost: number;
}

export interface Forecast {
  /** Spent since the month began. */
  spent: number;
  /** Expected by the end of the month, at the pace of the last seven days. */
  expected: number;
}

const monthOf = (now: number, more: number): number => {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more, 1);
};

/** The time that a forecast looks at, to the full hour. */
export function rangeOf(now: number): { from: string; to: string } {
  const to = Math.ceil(now / 3_600_000) * 3_600_000;
  const from = Math.min(monthOf(now, 0), to - PACE_DAYS * DAY);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** What a month comes to if it goes on as the last seven days did. */
export function forecastOf(points: readonly Spent[], now: number): Forecast {
  const since = (from: number): number =>
    points.reduce((sum, { at, usdCost }) => (Date.parse(at) >= from ? sum + usdCost : sum), 0);
  const spent = since(monthOf(now, 0));
  const perDay = since(now - PACE_DAYS * DAY) / PACE_DAYS;
  return { spent, expected: spent + (perDay * (monthOf(now, 1) - now)) / DAY };
}
