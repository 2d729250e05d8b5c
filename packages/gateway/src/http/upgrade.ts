import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Exchange, Sink } from "./exchange.ts";
import type { Accept } from "./peer.ts";

const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** Checks whether a request asks for a WebSocket in a supported form. */
export const asksForSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" &&
  headers.upgrade?.toLowerCase() === "websocket" &&
  headers["sec-websocket-version"] === "13" &&
  KEY.test(headers["sec-websocket-key"] ?? "");

/**
 * Creates a response on a connection that Node has handed over for an upgrade, to refuse the upgrade. `release` takes
 * it off again, to accept it.
 */
export function upgradeResponse(
  request: IncomingMessage,
  socket: Duplex,
): { response: ServerResponse; release(): void } {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  const ignore = (): void => {};
  const end = (): void => void socket.end();
  socket.on("error", ignore);
  response.assignSocket(socket as Socket);
  response.on("finish", end);
  return {
    response,
    release() {
      response.off("finish", end);
      response.detachSocket(socket as Socket);
      socket.off("error", ignore);
    },
  };
}

/** Lets an exchange be upgraded to a WebSocket. After that it counts as answered. */
export function upgradable(exchange: Exchange, accept: Accept): Exchange {
  exchange.accept = async () => {
    const peer = await accept({ ...exchange.sink.stamp });
    if (peer) exchange.sink = switched;
    return peer;
  };
  return exchange;
}

/** The sink of an exchange that became a socket. */
const switched: Sink = {
  started: true,
  status: 101,
  closed: false,
  onLeave: () => () => {},
  head() {},
  write: () => undefined,
  end() {},
  abort() {},
};
