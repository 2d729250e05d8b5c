import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type { Database } from "./database.ts";
import { openers } from "./open.ts";
import { templatesOf } from "./templates.ts";

/** The address of the server that the whole run shares. */
async function serverUrl(): Promise<string> {
  const answer = await fetch(inject("postgres"));
  const url = await answer.text();
  if (!answer.ok) throw new Error(url);
  return url;
}

const newName = (): string => `store_${randomUUID().replaceAll("-", "")}`;

/** A schema of its own on the server that the whole run shares. */
export async function makePostgres(): Promise<Database> {
  const url = await serverUrl();
  const schema = newName();
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

/** A database that a store has opened once, to be copied; each worker has one, which the run removes. */
let template: Promise<{ source: string; pool: pg.Pool }> | undefined;

async function makeTemplate(url: string): Promise<{ source: string; pool: pg.Pool }> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    idleTimeoutMillis: 1_000,
    allowExitOnIdle: true,
  });
  const source = `${templatesOf(inject("postgres"))}${randomUUID().replaceAll("-", "")}`;
  await pool.query(`CREATE DATABASE ${source}`);
  const located = new URL(url);
  located.pathname = `/${source}`;
  await (await openers.postgres(located.href)).close();
  return { source, pool };
}

/** A database of its own with all tables: a copy of a template, which takes a third of the time of making them. */
export async function copyPostgres(): Promise<Database> {
  const url = await serverUrl();
  template ??= makeTemplate(url);
  const { source, pool } = await template;
  const name = newName();
  await pool.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
  const located = new URL(url);
  located.pathname = `/${name}`;
  located.searchParams.set("application_name", name);
  const location = located.href;
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  return {
    dialect: "postgres",
    location,
    open: (settings) => openers.postgres(location, settings),
    execute: async (text) => (await client.query<Record<string, unknown>>(text)).rows,
    async drop() {
      await client.end();
      await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
