import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Gateway, Log, RefusalCode } from "@manifold-gateway/gateway";
import {
  countUnauthenticated,
  createRates,
  createRefusalLog,
  lingerAfterLastAnswer,
} from "@manifold-gateway/gateway/admin";
import { pathOfBroken } from "./broken-request.ts";
import { createCallers } from "./client-address.ts";
import { type ConnectionLimits, limitConnections } from "./connections.ts";
import { createPipelines } from "./pipelines.ts";
import { answerByHand, type Exchange, refuse } from "./refuse-connection.ts";

const reasons: Record<string, [code: RefusalCode, text: string]> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The request headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request did not arrive in time."],
};

export interface ServerLimits extends ConnectionLimits {
  /**
   * The most requests per minute without a valid credential from one address, in this process; a tenth of them may
   * arrive at once. Other requests have the limits of their key.
   */
  requestsPerMinutePerAddress: number;
}

export interface ServerOptions {
  /** See `createCallerAddress`. */
  trustProxy?: readonly string[];
  /** Checks whether a request may have a credential, which the gateway then judges. Default: none has. */
  hasCredential?: Gateway["hasCredential"];
  /** Checks whether a request may be upgraded to a WebSocket. Default: none may. */
  upgrades?: Gateway["upgrades"];
  /** Whether connections are to end with their next answer. Default: never. */
  isLeaving?(): boolean;
  /** Default: silent. */
  log?: Log;
}

const silent: Log = { info() {}, warn() {}, error() {} };

export interface HttpServer extends Server {
  /** The number of requests being answered, without WebSockets. */
  running(): number;
}

/** A Node server for a gateway, with limits against slow, broken and greedy clients. */
export function createHttpServer(
  gateway: Pick<Gateway, "node">,
  limits: ServerLimits,
  {
    trustProxy,
    hasCredential = () => false,
    upgrades = () => false,
    isLeaving = () => false,
    log = silent,
  }: ServerOptions = {},
): HttpServer {
  const callers = createCallers(trustProxy);
  const perMinute = limits.requestsPerMinutePerAddress;
  const rates = createRates({ perMinute, burst: Math.ceil(perMinute / 10) }, () => performance.now());
  const refusals = createRefusalLog(log);
  const refuseRequest = (
    exchange: Exchange,
    code: RefusalCode,
    text: string,
    headers?: Record<string, string>,
  ): void => {
    const [request] = exchange;
    pipelines.close(request.socket);
    const address = callers.ofRequest(request);
    refusals.note(address, code, () => log.info({ address, code }, "request refused"));
    refuse(exchange, code, text, headers);
  };
  /** Counts a request for its address. A connection over the rate is no longer read. */
  const count = (request: IncomingMessage): number => {
    const wait = rates.take(callers.ofRequest(request));
    if (wait > 0) {
      connections.throttle(request.socket);
      pipelines.close(request.socket);
    }
    return wait;
  };
  const run = (...exchange: Exchange): void => {
    const [request] = exchange;
    if (isLeaving()) pipelines.endWith(...exchange);
    const fault = faultOf(request);
    const isKnown = fault === undefined && hasCredential(request);
    const wait = isKnown ? 0 : count(request);
    if (wait > 0) {
      const headers = { "retry-after": String(Math.ceil(wait / 1_000)) };
      refuseRequest(exchange, "too_many_requests_from_address", TOO_OFTEN, headers);
    } else if (fault !== undefined) refuseRequest(exchange, "invalid_http", fault);
    else {
      if (isKnown) countUnauthenticated(request, count);
      gateway.node(...exchange);
    }
  };
  /** Upgrades only handshakes with a credential. Others are answered and counted as plain requests. */
  const mayUpgrade = (request: IncomingMessage): boolean => {
    const may = upgrades(request) && faultOf(request) === undefined && hasCredential(request);
    if (may) countUnauthenticated(request, count);
    return may;
  };
  const pipelines = createPipelines(run, (socket) => connections.throttle(socket));
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      requestTimeout: 300_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
      // Node would answer a request without it in its own format.
      requireHostHeader: false,
      // Some clients offer an upgrade with every request: those are answered as if they had not.
      shouldUpgradeCallback: mayUpgrade,
    },
    pipelines.serve,
  );
  server.on("connection", lingerAfterLastAnswer);
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = 1_000;
  server.on("checkExpectation", (...exchange: Exchange) =>
    refuseRequest(exchange, "expectation_failed", "The only supported expectation is '100-continue'."),
  );
  server.on("connect", (_: IncomingMessage, socket: Duplex) =>
    answerByHand(socket, "connect_not_served", "The service is not a proxy: CONNECT is not supported.", {
      headers: "allow: GET, HEAD, POST, PATCH, DELETE\r\n",
    }),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const isGone = !socket.writable || error.code === "ECONNRESET";
    // During an answer, or before one that is due, the client would take ours for that answer.
    if (isGone || !pipelines.isFree(socket)) {
      if (isGone || !pipelines.finish(socket)) socket.destroy();
      return;
    }
    pipelines.close(socket);
    const [code, text] = reasons[error.code ?? ""] ?? [
      "invalid_http",
      "The request could not be read as HTTP.",
    ];
    answerByHand(socket, code, text, { path: pathOfBroken(error) });
  });
  const connections = limitConnections(server, limits, callers, (socket, code, text) =>
    answerByHand(socket, code, text, { headers: "retry-after: 1\r\n" }),
  );
  return Object.assign(server, { running: pipelines.running });
}

const TOO_OFTEN = "There are too many requests from this address. Slow down.";

/** Finds faults of a request that Node accepts. */
function faultOf({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "The version must be HTTP/1.1 or HTTP/1.0.";
  if (headers.host === undefined)
    return httpVersion === "1.1" ? "The request has no host header." : undefined;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1 ? "The request has more than one host header." : undefined;
}
