import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Gateway } from "@manifold/gateway";

/** Says at `/ready` that this process is about to stop, and goes on for `ms` milliseconds, so that balancers see it. */
export async function giveNotice(gateway: Gateway, ms: number): Promise<void> {
  gateway.leave();
  if (ms > 0) await wait(ms);
}

/**
 * Stops a server without cutting anyone short: new requests are turned away, those in flight end, within `grace`
 * milliseconds. What is left after that is cut; its holds are recovered at the next start.
 */
export async function stopServer(server: Server, gateway: Gateway, grace: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), 1_000);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, grace);
  });
  await Promise.race([
    gateway
      .drain()
      .then(() => server.closeIdleConnections())
      .then(() => closed),
    late,
  ]);
  clearTimeout(timer);
  clearInterval(sweep);
  server.closeAllConnections();
  await closed;
}
