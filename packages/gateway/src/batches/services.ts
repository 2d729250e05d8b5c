import { Refusal } from "../http/refusal.ts";
import type { Batches } from "../ports/batches.ts";
import type { Services } from "../ports/services.ts";

/** The batches of a gateway. Throws a 503 if it has none. */
export function batchesOf({ batches }: Pick<Services, "batches">): Batches {
  if (batches) return batches;
  throw new Refusal(
    "media_not_served",
    "This gateway serves no files and no batches: it has no media, or an access or a billing that is not the store's.",
  );
}

/** The services that handlers use to begin a batch. */
export const batchServices = ["batches", "id", "media", "now", "store", "addressOf"] as const;
export type BatchService = (typeof batchServices)[number];
