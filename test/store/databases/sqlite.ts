import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Client from "better-sqlite3";
import type { Database } from "./database.ts";
import { openers } from "./open.ts";

/**
 * Where databases of tests are: in memory where there is room for 4 GB, as none has to outlive the machine. Waits for a
 * disk would be a third of the time of their tests.
 */
const PLACE = roomOf("/dev/shm") > 4e9 ? "/dev/shm" : tmpdir();

function roomOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** How often the write-ahead log of a database was begun: the fourth number of its header. */
export function logsBegun(path: string): number {
  const header = Buffer.alloc(16);
  const file = openSync(`${path}-wal`, "r");
  readSync(file, header);
  closeSync(file);
  return header.readUInt32BE(12);
}

export async function makeSqlite(): Promise<Database> {
  const folder = mkdtempSync(join(PLACE, "manifold-store-"));
  const location = join(folder, "store.db");
  return {
    dialect: "sqlite",
    location,
    open: (settings) => openers.sqlite(location, settings),
    async execute(text) {
      const client = new Client(location);
      try {
        const statement = client.prepare<[], Record<string, unknown>>(text);
        if (statement.reader) return statement.all();
        statement.run();
        return [];
      } finally {
        client.close();
      }
    },
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
