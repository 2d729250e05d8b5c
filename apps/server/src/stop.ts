import type { Server } from "node:http";
import { Server as Listener } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Gateway } from "@manifold-gateway/gateway";
import type { HttpServer } from "./server.ts";

/**
 * Says at `/ready` that this process is about to stop, and goes on for `ms` milliseconds, so that balancers see it.
 */
export async function giveNotice(gateway: Gateway, ms: number): Promise<void> {
  gateway.markNotReady();
  if (ms > 0) await wait(ms);
}

/** How long connections that are in use have to be used once more, and to end with that answer, in milliseconds. */
const IN_USE = 1_000;
/** How often it is looked whether the last answers have ended. */
const LOOK = 50;

/**
 * Leaves new connections to other processes on the same socket, and answers what comes on those that there are, which
 * end with their next answer. A client that is cut off while it sends its next request would take it for a failure.
 * Resolves when nothing is being answered, `grace` milliseconds later at the latest; to how many of them are left.
 */
export async function handOver(server: HttpServer, grace: number): Promise<number> {
  const end = performance.now() + grace;
  // Not the server's own: that would cut off connections that are idle for a moment only.
  Listener.prototype.close.call(server);
  await wait(Math.min(IN_USE, grace));
  while (server.running() > 0 && performance.now() < end) await wait(LOOK);
  return Math.max(0, end - performance.now());
}

/** The time for telling those clients that are left that the service stops, in milliseconds. */
const LAST_WORDS = 2_000;

/**
 * Stops a server without cutting anyone short: new requests are turned away, those in flight end, within `grace`
 * milliseconds. What is left then loses its provider: it is settled by what came, and its client gets an error in its
 * own protocol. What still goes on is cut; its holds are recovered at the next start. `cutSockets` cuts the
 * WebSockets, which the server no longer knows of.
 */
export async function stopServer(
  server: Server,
  gateway: Gateway,
  grace: number,
  cutSockets: () => void = () => {},
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), 1_000);
  const drained = gateway.drain().then(() => server.closeIdleConnections());
  const isDone = await within(
    grace,
    drained.then(() => closed),
  );
  if (!isDone) await within(LAST_WORDS, Promise.all([gateway.close(), drained]));
  clearInterval(sweep);
  server.closeAllConnections();
  cutSockets();
  await closed;
}

/** Checks whether it happens within `ms` milliseconds; waits no longer. */
async function within(ms: number, what: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const late = wait(ms, false, { signal: over.signal }).catch(() => false);
  const isDone = await Promise.race([what.then(() => true), late]);
  over.abort();
  return isDone;
}
