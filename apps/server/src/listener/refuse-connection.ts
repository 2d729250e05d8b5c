import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { Refusal, type RefusalCode } from "@manifold-gateway/gateway";
import { drain, envelope, LINGER_MS, statusOfCode } from "@manifold-gateway/gateway/admin";

export type Exchange = [request: IncomingMessage, response: ServerResponse];
type Headers = Record<string, string>;

const toBody = (code: RefusalCode, text: string, path: string): string =>
  JSON.stringify(envelope(new Refusal(code, text), path, Date.now()));

/** Answers a request that does not reach the gateway, in its turn. */
export function refuse(
  [request, response]: Exchange,
  code: RefusalCode,
  text: string,
  headers: Headers = {},
): void {
  const all = { "content-type": "application/json", connection: "close", ...headers };
  const [path = ""] = (request.url ?? "").split("?");
  response.writeHead(statusOfCode(code), all).end(toBody(code, text, path || "/"));
}

/**
 * Writes the envelope straight to the socket and ends it, if there is no parsed request to answer. Node no longer
 * manages such a socket, so its errors and a timeout are handled here.
 */
export function answerByHand(
  socket: Duplex,
  code: RefusalCode,
  text: string,
  { headers = "", path = "/" }: { headers?: string; path?: string } = {},
): void {
  const body = toBody(code, text, path);
  socket.on("error", () => {});
  drain(socket);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(
    `HTTP/1.1 ${statusOfCode(code)} Refused\r\n${headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
