import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { RefusalCode } from "@manifold-gateway/gateway";
import type { Callers } from "./client-address.ts";

export interface ConnectionLimits {
  /** The most open connections of this process. */
  connections: number;
  /** The most open connections from one address. */
  connectionsPerAddress: number;
}

export interface Connections {
  /**
   * Reads the connections of one address one after another, one in each turn of the event loop, until each was read.
   * Otherwise everything that has arrived on all of them would be parsed at once, before other clients are served.
   */
  throttle(one: Socket): void;
}

/** The most connections over the limit that get an answer at one time; others are closed without one. */
const MAX_ANSWERED = 1_000;

/**
 * Keeps the connections of a server within limits. `refuse` answers and ends those over a limit, with a code and a
 * text. They never reach the HTTP parser, so that nothing they send is run as a request.
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  callers: Pick<Callers, "ofSocket">,
  refuse: (socket: Socket, code: RefusalCode, text: string) => void,
): Connections {
  const from = new Map<string, Set<Socket>>();
  /** Connections waiting for their turn, by address. */
  const turns = new Map<string, Socket[]>();
  const addresses = new WeakMap<Socket, string>();
  let open = 0;
  const serve = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.maxConnections = limits.connections + MAX_ANSWERED;
  server.on("connection", (socket: Socket) => {
    const address = callers.ofSocket(socket);
    const here = from.get(address) ?? new Set();
    const full = open >= limits.connections;
    if (full || here.size >= limits.connectionsPerAddress) {
      if (full)
        refuse(socket, "too_many_connections", "The limit of open connections is reached. Try again soon.");
      else
        refuse(
          socket,
          "too_many_connections_from_address",
          "There are too many connections from this address. Try again soon.",
        );
      return;
    }
    open += 1;
    addresses.set(socket, address);
    from.set(address, here.add(socket));
    socket.once("close", () => {
      open -= 1;
      here.delete(socket);
      if (here.size === 0) from.delete(address);
    });
    for (const listener of serve) listener.call(server, socket);
    const queue = turns.get(address);
    if (queue) hold(queue, socket);
  });

  const hold = (queue: Socket[], socket: Socket): void => {
    socket.pause();
    queue.push(socket);
  };
  const goOn = (address: string, queue: Socket[]): void => {
    const next = queue.shift();
    if (!next) return void turns.delete(address);
    next.resume();
    setImmediate(goOn, address, queue);
  };
  return {
    throttle(one) {
      const address = addresses.get(one);
      if (address === undefined || turns.has(address)) return;
      const queue: Socket[] = [];
      turns.set(address, queue);
      for (const socket of from.get(address) ?? []) hold(queue, socket);
      setImmediate(goOn, address, queue);
    },
  };
}
