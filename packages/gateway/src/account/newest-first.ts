import { z } from "zod";
import { quote, Refusal } from "../http/refusal.ts";

/** The `before` of a list that is sorted newest first: the id of the last row of a page. */
export const beforeQuery = z.string().min(1).max(512).optional().describe("The `next` of the previous page.");

/** The answer of such a list. `rows` is their name: `jobs`. */
export const newestFirst = <Row extends z.ZodType>(row: Row, rows: string) =>
  z.object({
    results: z.array(row),
    next: z.string().optional().describe(`Send it as \`before\` for the ${rows} before these.`),
  });

/** Finds the row at which a page of a list begins or ends. Throws a 400 for an id that has none. */
export async function endOfPage<Row>(
  { id, param, noun }: { id: string | undefined; param: string; noun: string },
  find: (id: string) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (id === undefined) return undefined;
  const row = await find(id);
  if (row !== undefined) return row;
  throw new Refusal("not_found", `${param}: there is no ${noun} ${quote(id)}.`, { param, status: 400 });
}

/** The `next` of a page: absent where it is the last one. */
export const nextOf = (page: readonly { id: string }[], limit: number): { next?: string } =>
  page.length === limit ? { next: page.at(-1)!.id } : {};
