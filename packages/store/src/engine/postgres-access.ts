import { randomUUID } from "node:crypto";
import pg from "pg";
import { toDriver } from "./postgres-address.ts";
import { isTransient, WrongServer } from "./postgres-fault.ts";
import { checkPrimary, newPrimary } from "./postgres-primary.ts";
import { PLACE, type Server } from "./replica-place.ts";
import { StoreUnsuitable } from "./unavailable.ts";

/** How connections to a server have to be used. */
export interface Access {
  /** The connections go through a pooler, which may give each transaction another connection of the server. */
  isPooled: boolean;
  /** Prepared statements keep their names from one transaction to the next. */
  keepsNames: boolean;
}

export const DIRECT: Access = { isPooled: false, keepsNames: true };

/** The result of inspecting a server. */
export interface Inspection {
  access: Access;
  /** How far the server's clock is ahead of this machine's, in ms. */
  aheadMs: number;
  /** Why a store cannot be opened on it: what was found, and what is required. */
  refusal?: string;
}

const TIMEOUT_MS = 5_000;
/** The timeout of a trial, in ms: a pooler with a single connection never lends a second one. */
const TRIAL_MS = 2_000;

/**
 * The most by which the clocks may differ, in ms. Processes judge by their own clocks whether others are alive, and 30
 * s of silence mean death.
 */
const CLOCKS_MS = 10_000;

const open = async (url: string, timeoutMs = TIMEOUT_MS): Promise<pg.Client> => {
  // Has no session settings, because poolers refuse them.
  const client = new pg.Client({
    connectionString: toDriver(url),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on("error", () => {});
  await client.connect();
  return client;
};

/** Which database the server at an address has. Throws if it cannot be reached. */
export async function serverAt(url: string): Promise<Server> {
  const client = await open(url);
  try {
    return (await client.query(PLACE)).rows[0];
  } finally {
    await client.end();
  }
}

/** Inspects the server at an address, and whether a pooler is in front of it. Throws if it cannot be reached. */
export async function inspectServer(url: string): Promise<Inspection> {
  const client = await open(url);
  try {
    const before = Date.now();
    const { rows } = await client.query(
      "SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now, pg_backend_pid() AS pid",
    );
    const after = Date.now();
    const aheadMs = Math.round(Number(rows[0].now) - (before + after) / 2);
    // A pooler reports a number of its own, which is not that of the server's process.
    const isPooled = (client as unknown as { processID: number | null }).processID !== rows[0].pid;
    const access = { isPooled, keepsNames: !isPooled || (await keepsNames(url)) };
    const refusal =
      (await refusalOfServer(client)) ??
      (isPooled ? await refusalOfPooler(client) : undefined) ??
      refusalOfClock(aheadMs, after - before);
    return { access, aheadMs, ...(refusal !== undefined && { refusal }) };
  } finally {
    await client.end();
  }
}

/** Finds out how a server has to be used. Throws `StoreUnsuitable` if it cannot be. */
export async function accessTo(url: string): Promise<Access> {
  const { access, refusal } = await inspectServer(url);
  if (refusal !== undefined) throw new StoreUnsuitable(new URL(url).host, refusal);
  return access;
}

async function refusalOfServer(client: pg.Client): Promise<string | undefined> {
  try {
    await checkPrimary(client, newPrimary(), TIMEOUT_MS);
    return undefined;
  } catch (error) {
    if (!(error instanceof WrongServer)) throw error;
    return `${error.message}; name the primary, or a balancer that leads to it (store.reader takes a replica)`;
  }
}

async function refusalOfPooler(client: pg.Client): Promise<string | undefined> {
  try {
    await client.query("BEGIN");
    await client.query("COMMIT");
    return undefined;
  } catch (error) {
    return `there is a pooler between that allows no transactions (${(error as Error).message}); its pool_mode has to be transaction or session`;
  }
}

function refusalOfClock(aheadMs: number, tookMs: number): string | undefined {
  if (Math.abs(aheadMs) - tookMs / 2 <= CLOCKS_MS) return undefined;
  const by = `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? "ahead of" : "behind"}`;
  return `its clock is ${by} this machine's, and more than ${CLOCKS_MS / 1_000} s make processes take each other for dead; let both take their time from the network (timedatectl set-ntp true)`;
}

/** The most connections that a trial occupies so that its client gets another one than before. */
const OTHERS = 8;

/**
 * Tests whether a pooler knows the names of prepared statements: a statement is prepared on one connection of the
 * server, and used on another while the first is occupied. If no trial succeeds in occupying the first one, names are
 * not used.
 */
async function keepsNames(url: string): Promise<boolean> {
  const clients: pg.Client[] = [];
  const opened = async (): Promise<pg.Client> => {
    const client = await open(url, TRIAL_MS);
    clients.push(client);
    return client;
  };
  // Each trial has a name of its own, because names stay on the server's connection.
  const named = { name: `trial_${randomUUID()}`, text: "SELECT pg_backend_pid() AS pid" };
  try {
    const one = await opened();
    const [prepared] = (await one.query(named)).rows;
    for (let others = 0; others < OTHERS; others++) {
      const other = await opened();
      await other.query("BEGIN");
      const [occupied] = (await other.query(named.text)).rows;
      if (occupied.pid !== prepared.pid) continue;
      await one.query(named);
      return true;
    }
    return false;
  } catch (error) {
    const isUnknown = (error as { code?: string }).code === "26000";
    if (!isUnknown && !isTransient(error)) throw error;
    return false;
  } finally {
    for (const client of clients) await client.end().catch(() => {});
  }
}
