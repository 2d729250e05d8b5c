import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { Refusal, type RefusalCode } from "@manifold-gateway/gateway";
import { envelope, statusOfCode } from "@manifold-gateway/gateway/admin";

export type Exchange = [request: IncomingMessage, response: ServerResponse];
type Headers = Record<string, string>;

/** The time that a client which is turned away may take to read of it, in milliseconds. */
const PARTING = 1_000;
/** Bytes that are still taken from it meanwhile: a whole request of most clients, which hear nothing before. */
const HEARD = 1024 * 1024;

const toBody = (code: RefusalCode, text: string, path: string): string =>
  JSON.stringify(envelope(new Refusal(code, text), path, Date.now()));

/** Answers a request that never comes to the gateway, in its turn. */
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
 * There is no request to route an answer for: the envelope is written straight to the socket, which then ends. Node
 * looks after such a socket no longer: its errors and a client that stays would go unnoticed.
 */
export function answerByHand(
  socket: Duplex,
  code: RefusalCode,
  text: string,
  { headers = "", path = "/" }: { headers?: string; path?: string } = {},
): void {
  const body = toBody(code, text, path);
  socket.on("error", () => {});
  // Bytes that were sent already are read and dropped: closing over unread bytes would take the answer with it. The
  // parser gets none of it, else a request whose rest comes late would still be run.
  socket.removeAllListeners("data");
  let heard = 0;
  socket.on("data", (piece: Buffer) => {
    heard += piece.length;
    if (heard > HEARD) socket.pause();
  });
  socket.resume();
  setTimeout(() => socket.destroy(), PARTING).unref();
  socket.end(
    `HTTP/1.1 ${statusOfCode(code)} Refused\r\n${headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
