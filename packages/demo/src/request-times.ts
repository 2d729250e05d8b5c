import type { Random } from "./random.ts";

const DAY = 24 * 3_600_000;
/** The period of the traffic. */
export const MONTH = 30 * DAY;

/** The traffic of each hour of the day, in UTC: people work in the daytime, and batches run before. */
const HOURS = [4, 3, 8, 9, 4, 3, 5, 9, 15, 21, 24, 22, 17, 20, 23, 22, 19, 15, 11, 9, 8, 7, 6, 5];
const MAX_LOAD = Math.max(...HOURS);

/** The traffic at a moment, up to 1: less at weekends, more towards the end of the month. */
function loadAt(moment: number, start: number): number {
  const date = new Date(moment);
  const isWeekend = date.getUTCDay() % 6 === 0;
  const growth = 0.6 + (0.4 * (moment - start)) / MONTH;
  return ((HOURS[date.getUTCHours()] ?? 0) / MAX_LOAD) * (isWeekend ? 0.35 : 1) * growth;
}

/** The times of `count` requests in the month before `until`, in order. */
export function requestTimes(count: number, until: number, random: Random): number[] {
  const start = until - MONTH;
  const moments: number[] = [];
  while (moments.length < count) {
    const moment = start + Math.floor(random.next() * MONTH);
    if (random.next() < loadAt(moment, start)) moments.push(moment);
  }
  return moments.sort((one, other) => one - other);
}
