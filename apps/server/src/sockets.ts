import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Gateway, Peer } from "@manifold-gateway/gateway";
import { type WebSocket, WebSocketServer } from "ws";

/** The largest message, in bytes: as large as the body of a request with inline media. */
const LARGEST = 64 * 1024 * 1024;
/** The interval between pings of sockets, in milliseconds. */
const PULSE = 30_000;
/** The time that a client may take to answer a goodbye, in milliseconds. */
const PARTING = 2_000;
/** The bytes that may wait for a reader that is slower than the writer. */
const HIGH_WATER = 64 * 1024;

/**
 * Serves the WebSockets of a gateway on a server. Messages are not compressed: a small message that unpacks to a large
 * one costs its sender nothing. What is returned cuts those that are open.
 */
export function serveSockets(server: Server, gateway: Pick<Gateway, "upgrade">, pulse = PULSE): () => void {
  const options = { noServer: true, maxPayload: LARGEST, perMessageDeflate: false, closeTimeout: PARTING };
  const sockets = new WebSocketServer(options);
  const told = new WeakMap<IncomingMessage, Record<string, string>>();
  sockets.on("headers", (lines: string[], request: IncomingMessage) => {
    for (const [name, value] of Object.entries(told.get(request) ?? {})) lines.push(`${name}: ${value}`);
  });
  const silent = new WeakSet<WebSocket>();
  const beat = setInterval(() => {
    for (const socket of sockets.clients) {
      if (silent.has(socket)) socket.terminate();
      silent.add(socket);
      socket.ping();
    }
  }, pulse);
  beat.unref();
  server.on("close", () => clearInterval(beat));
  server.on("upgrade", (request: IncomingMessage, connection: Duplex, head: Buffer) =>
    gateway.upgrade(request, connection, (headers) => {
      told.set(request, headers);
      return new Promise((resolve) => {
        // The client left meanwhile, or offers what the library refuses by itself.
        connection.once("close", () => resolve(undefined));
        sockets.handleUpgrade(request, connection, head, (socket) => {
          const alive = (): void => void silent.delete(socket);
          socket.on("pong", alive).on("message", alive);
          resolve(toPeer(socket));
        });
      });
    }),
  );
  return () => {
    for (const socket of sockets.clients) socket.terminate();
  };
}

function toPeer(socket: WebSocket): Peer {
  // Nothing is read before a listener is attached.
  socket.pause();
  // A connection that breaks, or an invalid frame: the library closes the connection and reports that.
  socket.on("error", () => {});
  return {
    get closed() {
      return socket.readyState !== socket.OPEN;
    },
    send(text) {
      const sent = new Promise<void>((resolve) => socket.send(text, () => resolve()));
      return socket.bufferedAmount > HIGH_WATER ? sent : undefined;
    },
    close: (code, reason) => socket.close(code, reason),
    cut: () => socket.terminate(),
    listen(heard) {
      socket.on("message", (data, isBinary) => heard(isBinary ? undefined : (data as Buffer)));
      socket.resume();
    },
    onClose(listener) {
      socket.once("close", listener);
      return () => void socket.off("close", listener);
    },
  };
}
