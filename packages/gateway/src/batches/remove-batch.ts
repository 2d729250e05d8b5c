import { setTimeout } from "node:timers/promises";
import type { Batch } from "@manifold-gateway/store";
import { mediaOf } from "../media/media.ts";
import type { Context } from "../ports/context.ts";

/** The time for which a removal waits until the lines of an ended batch are gone, and between two looks, in milliseconds. */
const LONGEST = 5_000;
const PAUSE = 50;

/** Removes a batch that has ended, with its files. False if its worker still has something to do. */
export async function removeBatch(
  { services }: Pick<Context<"media" | "store">, "services">,
  { id, accountId }: Batch,
): Promise<boolean> {
  const { store } = services;
  for (let waited = 0; waited < LONGEST; waited += PAUSE) {
    const removed = await store.batches.remove({ id, accountId });
    if (removed === undefined) return true;
    if (removed) {
      for (const { key } of removed.files) await mediaOf(services).objects.remove(key);
      return true;
    }
    await setTimeout(PAUSE);
  }
  return false;
}
