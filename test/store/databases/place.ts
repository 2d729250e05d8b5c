import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";

/**
 * Where databases of tests are: in memory where it has room for 4 GB, as none has to outlive the machine. Waits for a
 * disk would be a third of the time of their tests. `TMPDIR` names another.
 */
export const PLACE = !process.env.TMPDIR && hasRoom(MEMORY, 4e9) ? MEMORY : tmpdir();

function hasRoom(folder: string, bytes: number): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > bytes;
}
