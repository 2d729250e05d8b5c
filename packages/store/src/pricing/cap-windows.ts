import type { Cap } from "./caps.ts";

/** The names of the windows that contain a moment, in UTC: `2026-11-21`, `2026-W47`, `2026-11`, `all`. */
export type Windows = { readonly [cap in Cap]: string };

const DAY = 86_400_000;
/** 1970-01-01 was a Thursday, the fourth day of a week that begins on Monday. */
const weekday = (day: number) => (((day + 3) % 7) + 7) % 7;
const dayOf = (ms: number) => Math.floor(ms / DAY);

let latest: { from: number; windows: Windows } | undefined;

/** The windows of a moment in ms. A new window has a new name, so that no counter needs a reset. */
export function windowsOf(ms: number): Windows {
  // Every request needs them, and they change only once a day.
  if (!latest || ms < latest.from || ms >= latest.from + DAY) {
    const day = dayOf(ms);
    latest = { from: day * DAY, windows: windowsOfDay(day) };
  }
  return latest.windows;
}

function windowsOfDay(day: number): Windows {
  const date = new Date(day * DAY).toISOString();
  // An ISO week belongs to the year of its Thursday.
  const thursday = day - weekday(day) + 3;
  const year = new Date(thursday * DAY).getUTCFullYear();
  const week = Math.floor((thursday - dayOf(Date.UTC(year, 0, 1))) / 7) + 1;
  return {
    daily: date.slice(0, 10),
    weekly: `${year}-W${String(week).padStart(2, "0")}`,
    monthly: date.slice(0, 7),
    total: "all",
  };
}

/** The end in ms of the window of `cap` that contains `ms`; `undefined` for the lifetime cap. */
export function windowEnd(cap: Cap, ms: number): number | undefined {
  const day = dayOf(ms);
  const date = new Date(ms);
  switch (cap) {
    case "daily":
      return (day + 1) * DAY;
    case "weekly":
      return (day - weekday(day) + 7) * DAY;
    case "monthly":
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    case "total":
      return undefined;
  }
}
