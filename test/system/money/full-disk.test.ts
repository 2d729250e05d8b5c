import { chownSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type OwnServer, startServer } from "../../store/databases/server.ts";
import { makeDatabase, type Outage, type Provider, startProvider, surviveOutage } from "./outage.ts";

/** A folder on a file system of its own of some 64 MB, which is filled. Without it there is no run. */
const FOLDER = process.env.MONEY_FULL_DISK;
const LASTS_MS = 10_000;

const filler = FOLDER === undefined ? "" : join(FOLDER, "filler");

/** Writes until nothing more fits. */
function fill(): void {
  for (const size of [1 << 20, 1 << 12])
    for (;;)
      try {
        writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        break;
      }
}
const empty = (): void => rmSync(filler, { force: true });

let provider: Provider;
let server: OwnServer;
beforeAll(async () => {
  if (FOLDER === undefined) return;
  provider = await startProvider();
  server = await startServer({ isDurable: true });
}, 60_000);
afterAll(async () => {
  await provider?.simulator.close();
  await server?.stop();
});

const stores: Record<"SQLite" | "Postgres", (folder: string) => Promise<Pick<Outage, "store" | "execute">>> =
  {
    async SQLite(folder) {
      const location = join(folder, "manifold.db");
      const execute = async (sql: string): Promise<Record<string, unknown>[]> => {
        const database = new Database(location);
        try {
          return database.prepare(sql).all() as Record<string, unknown>[];
        } finally {
          database.close();
        }
      };
      return { store: { dialect: "sqlite", location }, execute };
    },
    /** Only the tables are on the disk that is filled: without room for its log a server ends, as in away.test.ts. */
    async Postgres(folder) {
      const tables = join(folder, "tables");
      mkdirSync(tables);
      const { uid, gid } = statSync(server.folder);
      chownSync(tables, uid, gid);
      return makeDatabase(server, "fills_up", tables);
    },
  };

describe.skipIf(FOLDER === undefined).each(["SQLite", "Postgres"] as const)(
  "gateways on a full disk, %s",
  (kind) => {
    it("gateways refuse while the disk is full, go on after it, and charge each request once", {
      timeout: 300_000,
    }, async () => {
      if (existsSync(filler)) empty();
      const store = await stores[kind](FOLDER!);
      const figures = await surviveOutage({ ...store, begin: fill, end: empty, lastsMs: LASTS_MS }, provider);
      console.log(kind, figures);
    });
  },
);
