import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** The time that a client has to read its last answer. */
export const LINGER_MS = 1_000;
/** The most bytes read from it meanwhile: most clients send a whole request before they read. */
const MAX_DRAINED = 1024 * 1024;

/**
 * Lets the client of a connection read its last answer. Node calls `destroySoon` after an answer with
 * `connection: close`. Its version closes at once, which resets a connection whose client is still sending, a body for
 * example, and the client loses the answer.
 */
export function lingerAfterLastAnswer(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    drain(socket);
    socket.end(() => setTimeout(() => socket.destroy(), LINGER_MS).unref());
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
