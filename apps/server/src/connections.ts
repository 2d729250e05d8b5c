import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { RefusalCode } from "@manifold/gateway";

export interface ConnectionLimits {
  /** Open at one time, in this process. */
  connections: number;
  /** Of those, from one address. */
  connectionsPerAddress: number;
}

/** Connections over a limit that are told so at one time; beyond that they are closed unheard. */
const TOLD = 1_000;

/**
 * Keeps the connections of a server within limits. `refuse` answers and ends those over one, with a code and a
 * text; they never reach the HTTP parser, so that nothing they send is taken for a request.
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  refuse: (socket: Socket, code: RefusalCode, text: string) => void,
): void {
  const from = new Map<string, number>();
  let open = 0;
  const serve = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.maxConnections = limits.connections + TOLD;
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const here = from.get(address) ?? 0;
    const full = open >= limits.connections;
    if (full || here >= limits.connectionsPerAddress) {
      if (full)
        refuse(
          socket,
          "too_many_connections",
          "The service has as many connections as it takes. Try again soon.",
        );
      else
        refuse(
          socket,
          "too_many_connections_from_address",
          "There are too many connections from this address. Try again soon.",
        );
      return;
    }
    open += 1;
    from.set(address, here + 1);
    socket.once("close", () => {
      open -= 1;
      const left = (from.get(address) ?? 1) - 1;
      if (left > 0) from.set(address, left);
      else from.delete(address);
    });
    for (const listener of serve) listener.call(server, socket);
  });
}
