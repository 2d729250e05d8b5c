import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Refusal, type RefusalCode } from "@manifold-gateway/gateway";
import { envelope, statusOfCode } from "@manifold-gateway/gateway/admin";

export type Exchange = [request: IncomingMessage, response: ServerResponse];
type Headers = Record<string, string>;

/** Milliseconds that a refused client has to read its answer. */
const PARTING = 1_000;
/** The most bytes read from it meanwhile: most clients send a whole request before they read. */
const MAX_DRAINED = 1024 * 1024;

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
  setTimeout(() => socket.destroy(), PARTING).unref();
  socket.end(
    `HTTP/1.1 ${statusOfCode(code)} Refused\r\n${headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/**
 * Lets the client of a connection read its last answer. Node calls `destroySoon` after an answer with
 * `connection: close`. Its version closes at once, which resets a connection whose client is still sending, a body for
 * example, and the client loses the answer.
 */
export function lingerAfterLastAnswer(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    drain(socket);
    socket.end(() => setTimeout(() => socket.destroy(), PARTING).unref());
  };
}

/**
 * Reads and drops what arrives: closing a socket with unread bytes resets it, and the answer would be lost. The parser
 * gets none of the bytes, else a request whose rest arrives late would still be run.
 */
export function drain(socket: Duplex): void {
  // Taking a socket from the parser removes the listener by which one that was paused is read again, so it is resumed
  // first, whatever its state.
  socket.pause();
  socket.once("resume", () => {
    socket.removeAllListeners("data");
    let drained = 0;
    socket.on("data", (piece: Buffer) => {
      drained += piece.length;
      if (drained > MAX_DRAINED) socket.pause();
    });
  });
  socket.resume();
}
