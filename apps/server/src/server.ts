import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Gateway } from "@manifold/gateway";

const reasons: Record<string, [status: number, text: string]> = {
  HPE_HEADER_OVERFLOW: [431, "The request headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time."],
};

/** A Node server for a gateway, with the limits that keep slow and broken clients from holding it. */
export function createHttpServer(gateway: Gateway): Server {
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
  server.on("clientError", answerByHand);
  return server;
}

/** The parser refused the request, so there is nothing to route: the envelope is written straight to the socket. */
function answerByHand(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, text] = reasons[error.code ?? ""] ?? [400, "The request could not be read as HTTP."];
  const body = JSON.stringify({ errors: [text], status, success: false, path: "", timestamp: Date.now() });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
