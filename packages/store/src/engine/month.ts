const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** A month in UTC, as `2026-11`. */
export type Month = string;

/** True for the name of a month. */
export const isMonth = (text: string): boolean => MONTH.test(text);

/** The month of a moment in ms. */
export const monthOf = (at: number): Month => new Date(at).toISOString().slice(0, 7);

/** The first moment of a month, in ms. */
export const startOf = (month: Month): number => Date.parse(`${month}-01`);

/** The month after `month`, or `count` months after it. */
export function monthAfter(month: Month, count = 1): Month {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return monthOf(Date.UTC(year, number - 1 + count, 1));
}
