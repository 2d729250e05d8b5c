import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Gateway } from "@manifold/gateway";
import { type ConnectionLimits, limitConnections } from "./connections.ts";

const reasons: Record<string, [status: number, text: string]> = {
  HPE_HEADER_OVERFLOW: [431, "The request headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time."],
};

/** A Node server for a gateway, with the limits that keep slow, broken and greedy clients from holding it. */
export function createHttpServer(gateway: Pick<Gateway, "node">, limits: ConnectionLimits): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      requestTimeout: 300_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
    },
    gateway.node,
  );
  server.maxHeadersCount = 100;
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const [status, text] = reasons[error.code ?? ""] ?? [400, "The request could not be read as HTTP."];
    answerByHand(socket, status, text);
  });
  limitConnections(server, limits, (socket, status, text) =>
    answerByHand(socket, status, text, "retry-after: 1\r\n"),
  );
  return server;
}

/** There is no request to route an answer for: the envelope is written straight to the socket, which then ends. */
function answerByHand(socket: Duplex, status: number, text: string, headers = ""): void {
  const body = JSON.stringify({ errors: [text], status, success: false, path: "", timestamp: Date.now() });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\n${headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
