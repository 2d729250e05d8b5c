import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import "./remote.mjs";

/** Listens on a port, and prints its address as the gateway's own server does. */
export function serve(listener: RequestListener, port = 0): void {
  const server = createServer(listener);
  server.keepAliveTimeout = 60_000;
  server.listen({ port, host: "127.0.0.1", backlog: 16_384 }, () =>
    console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port} `),
  );
}
