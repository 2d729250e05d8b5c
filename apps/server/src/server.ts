import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { envelope, type Gateway, Refusal, type RefusalCode, statusOfCode } from "@manifold/gateway";
import { type ConnectionLimits, limitConnections } from "./connections.ts";

/** How long a client that is turned away may take to hear of it, in milliseconds. */
const PARTING = 1_000;

const reasons: Record<string, [code: RefusalCode, text: string]> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The request headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request did not arrive in time."],
};

/**
 * A Node server for a gateway, with the limits that keep slow, broken and greedy clients from holding it. `upgrades`
 * says which requests become something else; without it none does.
 */
export function createHttpServer(
  gateway: Pick<Gateway, "node">,
  limits: ConnectionLimits,
  upgrades: Gateway["upgrades"] = () => false,
): Server {
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers.host !== undefined || request.httpVersion !== "1.1") gateway.node(request, response);
    else refuse(response, "invalid_http", "The request has no host header.");
  };
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      requestTimeout: 300_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
      // Node would answer what lacks it in a shape of its own.
      requireHostHeader: false,
      // Others that offer an upgrade, as some clients do with every request, are answered as if they had not.
      shouldUpgradeCallback: upgrades,
    },
    serve,
  );
  server.maxHeadersCount = 100;
  server.on("checkExpectation", (_: IncomingMessage, response: ServerResponse) =>
    refuse(response, "expectation_failed", "The only expectation that is met is '100-continue'."),
  );
  server.on("connect", (_: IncomingMessage, socket: Duplex) =>
    answerByHand(
      socket,
      "connect_not_served",
      "The service is no proxy: CONNECT is not served.",
      "allow: GET, HEAD, POST, PATCH, DELETE\r\n",
    ),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const [code, text] = reasons[error.code ?? ""] ?? [
      "invalid_http",
      "The request could not be read as HTTP.",
    ];
    answerByHand(socket, code, text);
  });
  limitConnections(server, limits, (socket, code, text) =>
    answerByHand(socket, code, text, "retry-after: 1\r\n"),
  );
  return server;
}

const toBody = (code: RefusalCode, text: string): string =>
  JSON.stringify(envelope(new Refusal(code, text), "", Date.now()));

/** Answers a request that Node itself would turn away, in its turn. */
function refuse(response: ServerResponse, code: RefusalCode, text: string): void {
  const headers = { "content-type": "application/json", connection: "close" };
  response.writeHead(statusOfCode(code), headers).end(toBody(code, text));
}

/**
 * There is no request to route an answer for: the envelope is written straight to the socket, which then ends. Node
 * looks after such a socket no longer: nobody else would hear its errors or notice a client that stays.
 */
function answerByHand(socket: Duplex, code: RefusalCode, text: string, headers = ""): void {
  const body = toBody(code, text);
  socket.on("error", () => {});
  // What was sent already is read and dropped: closing over unread bytes would take the answer with it.
  socket.resume();
  setTimeout(() => socket.destroy(), PARTING).unref();
  socket.end(
    `HTTP/1.1 ${statusOfCode(code)} Refused\r\n${headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
