import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { HOUR } from "../http/moments.ts";

/** The prefix of the names of files that hold uploads. */
export const UPLOAD = "manifold-upload-";

/** The age from which a file must be from a killed process, because no request takes so long. */
const OLD = 24 * HOUR;

/** The last sweep of each folder, in milliseconds since the epoch. */
const lastSweeps = new Map<string, number>();

/**
 * Removes the files that killed processes left in a folder, at most once an hour. Files that cannot be removed, such as
 * another user's, stay.
 */
export async function removeLeftovers(folder: string, now: number): Promise<void> {
  if (now - (lastSweeps.get(folder) ?? 0) < HOUR) return;
  lastSweeps.set(folder, now);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(UPLOAD))) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts && now - facts.mtimeMs > OLD) await rm(path, { force: true }).catch(() => {});
  }
}
