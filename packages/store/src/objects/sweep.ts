import type { Objects } from "./objects.ts";

/**
 * Removes at most `limit` objects last written before `olderThan` (Unix milliseconds), and says how many. Called
 * again until it answers less than `limit`, it removes all of them; two that run at once do no harm.
 */
export async function sweep(objects: Objects, olderThan: number, limit: number): Promise<number> {
  let removed = 0;
  if (limit <= 0) return removed;
  for await (const { key } of objects.listOlder(olderThan)) {
    await objects.remove(key);
    removed += 1;
    if (removed >= limit) break;
  }
  return removed;
}
