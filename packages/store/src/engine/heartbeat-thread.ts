import { parentPort, workerData } from "node:worker_threads";
import type { Location } from "./engine.ts";
import { errorFields } from "./error-fields.ts";
import type { Pulse } from "./heartbeat.ts";
import { toDriver } from "./postgres-address.ts";

/** A connection that writes heartbeats. */
interface Heart {
  beat(at: number): Promise<void>;
  close(): Promise<void>;
}

const { location, owner, everyMs } = workerData as Pulse;

/** The longest wait for the database, in ms: shorter than the silence after which a process counts as dead. */
const MAX_WAIT_MS = 5_000;

const beatWith = (owner: string, at: string): string =>
  `INSERT INTO instances (owner, started_at, heartbeat_at) VALUES (${owner}, ${at}, ${at})
   ON CONFLICT (owner) DO UPDATE SET heartbeat_at = excluded.heartbeat_at`;

async function openSqliteHeart(path: string): Promise<Heart> {
  const { default: Database } = await import("better-sqlite3");
  const database = new Database(path, { timeout: MAX_WAIT_MS, fileMustExist: true });
  // The checkpointer moves the log.
  database.pragma("wal_autocheckpoint = 0");
  const statement = database.prepare(beatWith("@owner", "@at"));
  return {
    beat: async (at) => void statement.run({ owner, at }),
    close: async () => void database.close(),
  };
}

async function openPostgresHeart({ url, isPooled }: Exclude<Location, { path: string }>): Promise<Heart> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString: toDriver(url),
    connectionTimeoutMillis: MAX_WAIT_MS,
    // A pooler refuses settings of a session.
    ...(!isPooled && { statement_timeout: MAX_WAIT_MS }),
    query_timeout: MAX_WAIT_MS + 1_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: MAX_WAIT_MS,
  });
  // A connection may break at any time; the next beat then fails and opens a new one.
  client.on("error", () => {});
  await client.connect();
  return {
    beat: async (at) => void (await client.query(beatWith("$1", "$2"), [owner, at])),
    close: () => client.end(),
  };
}

const open = (): Promise<Heart> =>
  "path" in location ? openSqliteHeart(location.path) : openPostgresHeart(location);

let heart: Heart | undefined;
let timer: NodeJS.Timeout | undefined;
let isStopped = false;

async function beat(): Promise<void> {
  try {
    heart ??= await open();
    await heart.beat(Date.now());
  } catch (error) {
    parentPort?.postMessage(errorFields(error));
    await heart?.close().catch(() => {});
    heart = undefined;
  }
}

async function live(): Promise<void> {
  await beat();
  if (isStopped) return;
  timer = setTimeout(() => {
    living = live();
  }, everyMs);
}

let living = live();

parentPort?.on("message", async () => {
  isStopped = true;
  clearTimeout(timer);
  await living;
  await heart?.close().catch(() => {});
  parentPort?.close();
});
