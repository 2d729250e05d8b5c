import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { startServer } from "../store/databases/server.ts";

/** Databases for gateways, each of its own. */
export interface Databases {
  /** A new one, as a configuration names it. */
  make(kind: "sqlite" | "postgres"): Promise<string>;
  close(): Promise<void>;
}

/** Files in a folder, and databases of the server at `DATABASE_URL`, or of one that is started and waits for its disk. */
export function createDatabases(folder: string): Databases {
  let server: Promise<{ url: string; stop(): Promise<void> }> | undefined;
  const made: string[] = [];
  const url = process.env.DATABASE_URL;
  const command = async (sql: string): Promise<void> => {
    server ??= url ? Promise.resolve({ url, stop: async () => {} }) : startServer({ isDurable: true });
    const client = new pg.Client({ connectionString: (await server).url });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  let count = 0;
  return {
    async make(kind) {
      count += 1;
      if (kind === "sqlite") return `sqlite:${join(folder, `bench-${count}.db`)}`;
      const name = `manifold_bench_${process.pid}_${count}`;
      await command(`CREATE DATABASE ${name}`);
      made.push(name);
      const { url: base } = await (server as NonNullable<typeof server>);
      return Object.assign(new URL(base), { pathname: `/${name}` }).href;
    },
    async close() {
      for (const name of made) await command(`DROP DATABASE ${name} WITH (FORCE)`);
      await (await server)?.stop();
    },
  };
}

/** Bytes of a database, its log not counted. */
export async function sizeOf(store: string): Promise<number> {
  if (store.startsWith("sqlite:")) {
    const database = new Database(store.slice("sqlite:".length), { readonly: true });
    const pragma = (name: string): number => database.pragma(name, { simple: true }) as number;
    const size = (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
    database.close();
    return size;
  }
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  const { rows } = await client.query("SELECT pg_database_size(current_database())::float8 AS size");
  await client.end();
  return (rows[0] as { size: number }).size;
}
