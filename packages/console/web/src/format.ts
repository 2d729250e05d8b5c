/** Amounts, counts and times as people read them. */

/** Amounts have cents at least, and are whole millionths of a dollar. */
export const LEAST_DIGITS = 2;
export const MOST_DIGITS = 6;

/** US dollars with so many decimals. */
export const dollars = (amount: number, least: number, most: number): string =>
  new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  })
    .format(amount)
    .replace("-$", "−$");

/** An amount in a sentence: cents from a dollar on, and below it as exact as it is: `$12.50`, `$0.00008`. */
export const usd = (amount: number): string =>
  dollars(amount, LEAST_DIGITS, Math.abs(amount) >= 1 || amount === 0 ? LEAST_DIGITS : MOST_DIGITS);

/** The whole amount, with no more decimals than it has: `$964.496395`, `$12.50`. */
export const wholeUsd = (amount: number): string => dollars(amount, LEAST_DIGITS, MOST_DIGITS);

/** Micro-USD as US dollars, with all six decimals. */
export const exactUsd = (micro: number): string => dollars(micro / 1_000_000, MOST_DIGITS, MOST_DIGITS);

const counts = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

export const count = (value: number): string => counts.format(value);
/** A number of things: `1 row`, `1,680 rows`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
export const compact = (value: number): string => short.format(value);

/** Milliseconds: `7 ms`, `1.2 s`, `2 min 5 s`. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return "–";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A moment to the second, in UTC or in the zone of the browser: `2026-11-28 23:03:42`. */
export function moment(iso: string, isLocal = false): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const shift = isLocal ? new Date(at).getTimezoneOffset() * 60_000 : 0;
  return new Date(at - shift).toISOString().slice(0, 19).replace("T", " ");
}

/** How long ago, in one unit. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1_000));
  const steps: [number, string][] = [
    [60, "s"],
    [60, "min"],
    [24, "h"],
    [Number.POSITIVE_INFINITY, "d"],
  ];
  let value = seconds;
  for (const [size, unit] of steps) {
    if (value < size) return `${value} ${unit} ago`;
    value = Math.floor(value / size);
  }
  return iso;
}

/** Bytes: `512 B`, `1.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const isLarge = bytes >= 1_000_000;
  return `${(bytes / (isLarge ? 1_000_000 : 1_000)).toFixed(1)} ${isLarge ? "MB" : "kB"}`;
}
