import { z } from "zod";

/** A whole number in a query; what is not plainly one is refused. */
export const whole = (min: number, max: number, preset: number) =>
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

/** A place in a list, newest first, as text: when the record was made, and its id. */
export const toCursor = ({ createdAt, id }: { createdAt: number; id: string }): string =>
  Buffer.from(`${createdAt} ${id}`).toString("base64url");

/** Such a place in a query; `null` for the beginning. */
export const cursorQuery = z
  .string()
  .max(1_024)
  .transform((text, check) => {
    if (text === "" || text === "0") return null;
    const [, at, id] = /^(\d{1,15}) (.+)$/s.exec(Buffer.from(text, "base64url").toString()) ?? [];
    if (at !== undefined && id !== undefined) return { createdAt: Number(at), id };
    check.addIssue("must be the unchanged 'next' of an earlier page, or 0.");
    return z.NEVER;
  })
  .optional();

/** The paging of a list. */
export const pageQuery = z.object({ offset: whole(0, 10_000_000, 0), limit: whole(1, 100, 20) });
