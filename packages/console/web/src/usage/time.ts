/** Ranges and buckets of time, all in UTC, as caps are counted. */

export const BUCKETS = ["hour", "day", "week", "month"] as const;
export type Bucket = (typeof BUCKETS)[number];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The beginning of the bucket that a moment is in. */
export const startOf = (at: number, bucket: Bucket): number => {
  const day = at - (at % DAY);
  if (bucket === "hour") return at - (at % HOUR);
  if (bucket === "day") return day;
  // 1970-01-01 was a Thursday, and weeks begin on Monday.
  if (bucket === "week") return day - ((day + 3 * DAY) % (7 * DAY));
  const date = new Date(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
};

/** The end of the bucket that begins at a moment. */
export function endOf(start: number, bucket: Bucket): number {
  if (bucket !== "month") return start + { hour: HOUR, day: DAY, week: 7 * DAY }[bucket];
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The beginnings of all buckets of a range. */
export function bucketsOf(from: string, to: string, bucket: Bucket): string[] {
  const starts: string[] = [];
  for (let at = startOf(Date.parse(from), bucket); at < Date.parse(to); at = endOf(at, bucket))
    starts.push(new Date(at).toISOString());
  return starts;
}

/** The ranges that a screen offers, by what its address says. */
export const RANGES: readonly (readonly [days: string, text: string])[] = [
  ["today", "today"],
  ["yesterday", "yesterday"],
  ["1", "24 hours"],
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "a year"],
];
/** The range of a screen whose address names none, in days. */
const USUAL = 30;

/** The last so many days, to the full hour, so that it is the same until the hour is over. */
export function lastDays(days: number, now = Date.now()): { from: string; to: string } {
  const to = Math.ceil(now / HOUR) * HOUR;
  return { from: new Date(to - days * DAY).toISOString(), to: new Date(to).toISOString() };
}

interface Range {
  from: string;
  to: string;
}

/** One of the ranges that are offered. */
function offered(days: string | undefined, now: number): Range {
  const today = startOf(now, "day");
  if (days === "today") return { from: new Date(today).toISOString(), to: lastDays(1, now).to };
  if (days === "yesterday")
    return { from: new Date(today - DAY).toISOString(), to: new Date(today).toISOString() };
  return lastDays(Number(days) || USUAL, now);
}

const A_DAY = /^\d{4}-\d\d-\d\d$/;

/** The end of a range as the service takes it, which excludes it: a day that is named alone is in the range. */
const endAt = (to: string): string =>
  A_DAY.test(to) ? new Date(endOf(Date.parse(to), "day")).toISOString() : to;

/** The range that a screen's address names, with the end excluded: two moments or days, or one that is offered. */
export function rangeIn(
  { days, from, to }: { days?: string; from?: string; to?: string },
  now = Date.now(),
): Range {
  const range = offered(days, now);
  return { from: from ?? range.from, to: to === undefined ? range.to : endAt(to) };
}

/** The same on a screen that has no end where its address names none. */
export function openRangeIn(params: { days?: string; from?: string; to?: string }): Partial<Range> {
  const { from, to } = rangeIn(params);
  return {
    ...((params.from ?? params.days) !== undefined && { from }),
    ...((params.to ?? params.days) !== undefined && { to }),
  };
}

/** The range before one, which is as long. */
export function rangeBefore({ from, to }: Range): Range {
  const start = Date.parse(from);
  return { from: new Date(2 * start - Date.parse(to)).toISOString(), to: new Date(start).toISOString() };
}

/** The first and the last day of a range whose end is excluded. */
export const daysOf = ({ from, to }: Partial<Range>): Partial<Range> => ({
  ...(from !== undefined && { from: from.slice(0, 10) }),
  ...(to !== undefined && { to: new Date(Date.parse(to) - 1).toISOString().slice(0, 10) }),
});

/** The bucket in which a range is shown well. */
export function fitting(from: string, to: string): Bucket {
  const days = (Date.parse(to) - Date.parse(from)) / DAY;
  return days <= 3 ? "hour" : days <= 100 ? "day" : days <= 700 ? "week" : "month";
}

/** A moment as it stands at an axis. */
export const label = (at: string, bucket: Bucket): string =>
  bucket === "hour"
    ? at.slice(0, 16).replace("T", " ")
    : bucket === "month"
      ? at.slice(0, 7)
      : at.slice(0, 10);

/** What a screen's address says where a span of buckets is chosen, both ends included. */
export const spanOf = (
  times: readonly string[],
  bucket: Bucket,
  first: number,
  last: number,
): Record<"from" | "to", string> & Record<"days" | "bucket", undefined> => ({
  from: times[first] as string,
  to: new Date(endOf(Date.parse(times[last] as string), bucket)).toISOString(),
  days: undefined,
  bucket: undefined,
});
