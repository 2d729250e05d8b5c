import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import Client from "better-sqlite3";
import type { Database } from "./database.ts";
import { openers } from "./open.ts";
import { PLACE } from "./place.ts";

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
