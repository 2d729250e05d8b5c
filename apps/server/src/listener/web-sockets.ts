import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Gateway, Peer } from "@manifold-gateway/gateway";
import { type WebSocket, WebSocketServer } from "ws";
import { FramedConnection } from "./framed-connection.ts";

/** The interval between pings of sockets, in milliseconds. */
const PULSE = 30_000;
/** Milliseconds that a client has to answer a close frame. */
const PARTING = 2_000;
const PROTOCOL_ERROR = 1002;
/** The most bytes buffered for a reader that is slower than the writer. */
const HIGH_WATER = 64 * 1024;

/**
 * Serves the WebSockets of a gateway on a server. Compression is off, because a small message could unpack to a huge
 * one. Messages do not reach the library: see `FramedConnection`. Returns a function that cuts all open sockets.
 */
export function serveSockets(server: Server, gateway: Pick<Gateway, "upgrade">, pulse = PULSE): () => void {
  const options = { noServer: true, perMessageDeflate: false, closeTimeout: PARTING };
  const sockets = new WebSocketServer({ ...options, allowSynchronousEvents: false });
  const upgradeHeaders = new WeakMap<IncomingMessage, Record<string, string>>();
  sockets.on("headers", (lines: string[], request: IncomingMessage) => {
    for (const [name, value] of Object.entries(upgradeHeaders.get(request) ?? {}))
      lines.push(`${name}: ${value}`);
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
      upgradeHeaders.set(request, headers);
      return new Promise((resolve) => {
        // The client has left, or the library refused the handshake by itself.
        connection.once("close", () => resolve(undefined));
        const framed = new FramedConnection(connection, head);
        sockets.handleUpgrade(request, framed, NOTHING, (socket) => {
          // Any data counts, not only pongs, which a client cannot send within a large frame.
          connection.on("data", () => void silent.delete(socket));
          resolve(toPeer(socket, framed));
        });
      });
    }),
  );
  return () => {
    for (const socket of sockets.clients) socket.terminate();
  };
}

const NOTHING = Buffer.alloc(0);

function toPeer(socket: WebSocket, framed: FramedConnection): Peer {
  // Emitted for a broken connection or an invalid close frame; the library closes the connection itself.
  socket.on("error", () => {});
  const close: Peer["close"] = (code, reason) => {
    socket.close(code, reason);
    framed.leave();
  };
  return {
    get closed() {
      return socket.readyState !== socket.OPEN;
    },
    get isBehind() {
      return socket.bufferedAmount > HIGH_WATER;
    },
    send(text) {
      const sent = new Promise<void>((resolve) => socket.send(text, () => resolve()));
      return socket.bufferedAmount > HIGH_WATER ? sent : undefined;
    },
    close,
    cut: () => socket.terminate(),
    listen: (message) => framed.listen({ message, fault: (reason) => close(PROTOCOL_ERROR, reason) }),
    onClose(listener) {
      socket.once("close", listener);
      return () => void socket.off("close", listener);
    },
  };
}
