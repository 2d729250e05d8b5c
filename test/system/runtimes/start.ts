import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { createFetchTransport } from "@manifold-gateway/providers";
import type { Store } from "@manifold-gateway/store";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { bundleForWorkerd, workerdProgram } from "./bundle.ts";
import { openGateway } from "./programs/gateway.ts";

/** A gateway in some runtime. */
export interface Running {
  fetch(request: Request): Promise<Response>;
  /** On the same database, as of another process. */
  store: Store;
  close(): Promise<void>;
}

export interface Runtime {
  name: string;
  /** Why it cannot be tried here, where it cannot. */
  missing?: string;
  start(upstream: string): Promise<Running>;
}

/** A program of the path, or where a variable says. */
export function program(name: string): string | undefined {
  const told = process.env[name.toUpperCase()];
  if (told) return told;
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

async function withStore(
  database: Database,
  running: Omit<Running, "store">,
  folder?: string,
): Promise<Running> {
  const store = await database.open();
  return {
    ...running,
    store,
    async close() {
      await running.close();
      await store.close();
      await database.drop();
      if (folder) rmSync(folder, { recursive: true });
    },
  };
}

/** Starts a process that says its port, and sends it requests. */
export async function startProcess(command: readonly string[], env: Record<string, string>, cwd: string) {
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (bytes: Buffer) => {
    said += bytes;
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${file} ended: ${said}`)));
    createInterface(child.stdout).on("line", (line) => {
      const found = /"port":(\d+)/.exec(line)?.[1];
      if (found) resolve(Number(found));
    });
  });
  return {
    fetch: (request: Request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(`http://127.0.0.1:${port}${pathname}${search}`, request));
    },
    async close() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const root = join(import.meta.dirname, "../../..");
const programs = join(import.meta.dirname, "programs");

/** A runtime that runs the sources, with a database in a file. */
function ofSources(name: string, args: readonly string[]): Runtime {
  const path = program(name);
  return {
    name,
    ...(path === undefined && { missing: `${name} is not on the path` }),
    async start(upstream) {
      const database = await makeSqlite();
      const env = { UPSTREAM: upstream, DATABASE: database.location };
      return withStore(database, await startProcess([path!, ...args], env, root));
    },
  };
}

const workerd = program("workerd");

export const runtimes: Runtime[] = [
  {
    name: "node",
    async start(upstream) {
      const database = await makeSqlite();
      const transport = createFetchTransport();
      const gateway = await openGateway({ upstream, database: database.location, transport });
      return withStore(database, { fetch: async (request) => gateway.fetch(request), close: gateway.close });
    },
  },
  ofSources("deno", ["run", "-A", "--no-lock", "--conditions=manifold", join(programs, "deno.ts")]),
  ofSources("bun", ["--conditions=manifold", join(programs, "bun.ts")]),
  {
    name: "workerd",
    ...(workerd === undefined && { missing: "workerd is not on the path" }),
    async start(upstream) {
      const database = await makePostgres();
      const folder = mkdtempSync(join(tmpdir(), "manifold-workerd-"));
      for (const [name, text] of await bundleForWorkerd(workerdProgram, true))
        writeFileSync(join(folder, name), text);
      const env = { UPSTREAM: upstream, DATABASE: database.location };
      const command = [workerd!, "serve", "config.capnp", "--control-fd=1"];
      return withStore(database, await startProcess(command, env, folder), folder);
    },
  },
];
