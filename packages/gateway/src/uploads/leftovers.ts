import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** What the names of files begin with that keep uploads. */
export const UPLOAD = "manifold-upload-";

const HOUR = 3_600_000;
/** The age of a file that no request can still have: it is of a process that was killed. */
const OLD = 24 * HOUR;

/** The last sweep of each folder, in milliseconds since the epoch. */
const lastSweeps = new Map<string, number>();

/**
 * Removes the files that killed processes left in a folder. It looks once an hour, since others may be killed later.
 * What cannot be removed, such as another user's file, stays.
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
