import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Listening {
  origin: string;
  port: number;
  /** Ends its connections as well. */
  close(): Promise<void>;
}

/** Serves HTTP on a free loopback port: with a server that is there, or with a handler of requests. */
export async function listen(
  served: Server | SecureServer | RequestListener,
  scheme = "http",
): Promise<Listening> {
  const server = typeof served === "function" ? createServer(served) : served;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${scheme}://127.0.0.1:${port}`,
    port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
