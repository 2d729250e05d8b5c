import type { Store } from "@manifold-gateway/store";
import { quote, Refusal, type RefusalOptions } from "../http/refusal.ts";

/**
 * The refusal for a generation that was not found. If the id is of an archived month, it says so: only the archive
 * knows whether the id belongs to a record.
 */
export async function missingGeneration(
  { archive }: Pick<Store, "archive">,
  id: string,
  sentence: string,
  options: RefusalOptions = {},
): Promise<Refusal> {
  const month = await archive.removedMonthOf(id);
  if (month === undefined) return new Refusal("generation_not_found", sentence, options);
  return new Refusal(
    "generation_archived",
    `${quote(id)} would be a generation of ${month}, whose records are archived: the operator can read them, and give credit back by a reference of its own.`,
    options,
  );
}
