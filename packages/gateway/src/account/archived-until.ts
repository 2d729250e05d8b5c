import type { GenerationFilter, Store } from "@manifold-gateway/store";
import { z } from "zod";
import { momentOf } from "../http/moments.ts";

/** The member of a list of records that shows that the list is incomplete. */
export const archivedUntilField = z.iso
  .datetime()
  .optional()
  .describe("Records from before are archived: the list has none of them. Absent if the range has none.");

/** The same as the header of a file, which has no member for it. */
export async function archivedHeaders(
  ...of: Parameters<typeof archivedUntil>
): Promise<Record<string, string>> {
  const { archivedUntil: until } = await archivedUntil(...of);
  return until === undefined ? {} : { "x-archived-until": until };
}

/** The end of the archived months, if a filter's range reaches into them. */
export async function archivedUntil(
  { archive }: Pick<Store, "archive">,
  { from = 0 }: Pick<GenerationFilter, "from">,
): Promise<{ archivedUntil?: string }> {
  const until = await archive.removedUntil();
  return until !== undefined && from < until ? { archivedUntil: momentOf(until) } : {};
}
