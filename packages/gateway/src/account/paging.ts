import { z } from "zod";

/** A whole number in a query. Anything else is refused, such as `1e3` or `0x10`. */
const number = (min: number, max: number) =>
  z.preprocess(
    (text) => (typeof text === "string" && /^\d{1,9}$/.test(text) ? Number(text) : text),
    z.int(`must be a whole number from ${min} to ${max}`).min(min).max(max),
  );

/** A whole number in a query, which has a default. */
export const whole = (min: number, max: number, preset: number) => number(min, max).default(preset);

/** A whole number in a query, which may be left out. */
export const someWhole = (min: number, max: number) => number(min, max).optional();

/** An ISO date or time in a query, in milliseconds since the epoch. */
export const momentQuery = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], "must be an ISO date or time")
  .transform(Date.parse)
  .optional();

/** A position in a list that is sorted newest first, as text: the time and the id of a record. */
export const toCursor = ({ createdAt, id }: { createdAt: number; id: string }): string =>
  Buffer.from(`${createdAt} ${id}`).toString("base64url");

/** Reads such a position from a query; `null` is the beginning. */
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

/** The ids at the ends of a page, by the names that vendors' lists have for them. */
export const endsOf = (page: readonly { id?: unknown }[]) =>
  ({ first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null }) as Record<string, string | null>;

/** The page of a list that a query requests. */
export const pageQuery = z.object({ offset: whole(0, 10_000_000, 0), limit: whole(1, 100, 20) });
