import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type { Database } from "./database.ts";
import { openers } from "./open.ts";

/** A schema of its own on the server that the whole run shares. */
export async function makePostgres(): Promise<Database> {
  const answer = await fetch(inject("postgres"));
  const url = await answer.text();
  if (!answer.ok) throw new Error(url);
  const schema = `store_${randomUUID().replaceAll("-", "")}`;
  const located = new URL(url);
  located.searchParams.set("options", `-c search_path=${schema}`);
  located.searchParams.set("application_name", schema);
  const location = located.href;
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  await client.query(`CREATE SCHEMA ${schema}`);
  return {
    dialect: "postgres",
    location,
    open: (settings) => openers.postgres(location, settings),
    execute: async (text) => (await client.query<Record<string, unknown>>(text)).rows,
    async drop() {
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    },
  };
}
