import { z } from "zod";

/** A whole number in a query; what is not plainly one is refused. */
const whole = (min: number, max: number, preset: number) =>
  z
    .preprocess(
      (text) => (typeof text === "string" && /^\d{1,9}$/.test(text) ? Number(text) : text),
      z.int(`must be a whole number from ${min} to ${max}`).min(min).max(max),
    )
    .default(preset);

/** An ISO date or time in a query, in milliseconds since the epoch. */
export const momentQuery = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], "must be an ISO date or time")
  .transform(Date.parse)
  .optional();

/** The paging of a list. */
export const pageQuery = z.object({ offset: whole(0, 10_000_000, 0), limit: whole(1, 100, 20) });
