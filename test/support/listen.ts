import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Listening {
  origin: string;
  port: number;
  /** Ends its connections as well. */
  close(): Promise<void>;
}

/** Reading a request fails when its sender leaves or is killed. Nobody waits for an answer then; other errors stay. */
const orGone =
  (handle: RequestListener): RequestListener =>
  async (request: IncomingMessage, response) => {
    try {
      await handle(request, response);
    } catch (error) {
      if (!request.readableAborted) throw error;
      response.destroy();
    }
  };

/** Serves HTTP on a free loopback port: with a server that is there, or with a handler of requests. */
export async function listen(
  served: Server | SecureServer | RequestListener,
  scheme = "http",
): Promise<Listening> {
  const server = typeof served === "function" ? createServer(orGone(served)) : served;
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
