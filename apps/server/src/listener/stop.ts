import type { Server } from "node:http";
import { Server as Listener } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Gateway } from "@manifold-gateway/gateway";
import type { HttpServer } from "./server.ts";

/**
 * Reports at `/ready` that this process is about to stop, and serves on for `ms` milliseconds, so that load balancers
 * see it.
 */
export async function giveNotice(gateway: Gateway, ms: number): Promise<void> {
  gateway.markNotReady();
  if (ms > 0) await wait(ms);
}

/**
 * Milliseconds in which a connection in use can carry one more request, with whose answer it ends: the request may be
 * under way already, and closing the connection would reset it.
 */
const IN_USE = 1_000;
/** Milliseconds between checks whether the last answers have ended. */
const LOOK = 50;

/**
 * Leaves new connections to other processes on the same socket. Existing connections end with their next answer,
 * because a client that is cut off while it sends a request would see a failure. Resolves when nothing is being
 * answered, or after `grace` milliseconds, to the number of requests left.
 */
export async function handOver(server: HttpServer, grace: number): Promise<number> {
  const end = performance.now() + grace;
  // The HTTP server's own `close` would cut off connections that are idle only for a moment.
  Listener.prototype.close.call(server);
  await wait(Math.min(IN_USE, grace));
  while (server.running() > 0 && performance.now() < end) await wait(LOOK);
  return Math.max(0, end - performance.now());
}

/** Milliseconds for sending the remaining clients the error that the service stops. */
const LAST_WORDS = 2_000;

/**
 * Stops a server gracefully: refuses new requests, and waits up to `grace` milliseconds for those in flight. Then the
 * calls to providers are cancelled: requests settle with what has arrived, and clients get an error in their protocol.
 * What still runs after that is cut; its holds are recovered at the next start. `cutSockets` cuts the WebSockets, which
 * the server no longer tracks.
 */
export async function stopServer(
  server: Server,
  gateway: Gateway,
  grace: number,
  cutSockets: () => void = () => {},
): Promise<void> {
  // The HTTP server's own `close` would cut off connections that are idle only for a moment.
  const closed = new Promise<void>((resolve) => Listener.prototype.close.call(server, () => resolve()));
  // Answers that began before the stop leave their connections open.
  server.keepAliveTimeout = IN_USE;
  const inUse = within(Math.min(IN_USE, grace), closed).then(() => server.closeIdleConnections());
  const drained = Promise.all([gateway.drain(), inUse]);
  const isDone = await within(
    grace,
    drained.then(() => closed),
  );
  if (!isDone) await within(LAST_WORDS, Promise.all([gateway.close(), drained]));
  server.closeAllConnections();
  cutSockets();
  await closed;
}

/** Resolves to whether a promise settles within `ms` milliseconds. */
async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const late = wait(ms, false, { signal: over.signal }).catch(() => false);
  const isDone = await Promise.race([promise.then(() => true), late]);
  over.abort();
  return isDone;
}
