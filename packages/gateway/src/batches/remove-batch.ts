import { setTimeout } from "node:timers/promises";
import type { Batch } from "@manifold-gateway/store";
import { mediaOf } from "../media/media.ts";
import type { Context } from "../ports/context.ts";

/**
 * The longest time that a removal waits for the lines of an ended batch to be removed, and the time between two checks,
 * in milliseconds.
 */
const LONGEST = 5_000;
const PAUSE = 50;

/** Removes an ended batch with its files. False if its worker is not done with it. */
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
