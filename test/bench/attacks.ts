const MIB = 1024 * 1024;

export const PATH = "/api/chatstyle/v1/chat/completions";
/** A key with little credit, so that large bodies are read at all. */
export const POOR = "key-of-somebody-hostile-012345678";

const head = (length: number): string =>
  `POST ${PATH} HTTP/1.1\r\nhost: x\r\nx-api-key: ${POOR}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
const whole = (text: string): Buffer => Buffer.from(head(text.length) + text);
/** Announces a body of 60 MiB, and sends its beginning. */
const begun = (text: string): Buffer => Buffer.from(head(60 * MIB) + text);
/** The handshake of a WebSocket, and what its client sends right behind it. */
const socket = (...frames: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from(
      `GET /api/chatstyle/v1/responses HTTP/1.1\r\nhost: x\r\nx-api-key: ${POOR}\r\nconnection: upgrade\r\n` +
        "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    ),
    ...frames,
  ]);
/** A text frame that announces this length, with a mask of zeros. */
const frame = (text: string, length = text.length): Buffer => {
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.from(text)]);
};
const members = (object: number): string =>
  `{${Array.from({ length: 9_000 }, (_, i) => `"${object}k${i}":1`).join()}}`;

/** What hostile clients send on a connection of their own, and then wait for. */
export const attacks: Record<string, Buffer> = {
  // Costly to parse, and over a limit.
  objects: begun(`{"b":";base64,","a":[${"{},".repeat(150_000)}`),
  numbers: begun(`{"b":";base64,","arguments":[${"1234567890123456789,".repeat(101_000)}`),
  quotes: begun(`{"b":";base64,","a":"${'\\"'.repeat(2.1 * MIB)}`),
  // The most that a body may hold, and nothing that is answered.
  members: whole(
    `{"model":"m","messages":[],"a":[${Array.from({ length: 9 }, (_, i) => members(i)).join()}]}`,
  ),
  // Requests without a credential in one piece, none of whose answers is waited for.
  pipelined: Buffer.from("GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1_700)),
  // A message of a WebSocket by which nothing is generated, with the most values that a body may hold.
  warmups: socket(
    frame(
      `{"type":"response.create","generate":false,"model":"m","input":[{"x":[${"{},".repeat(95_000)}{}]}]}`,
    ),
  ),
  // A message of a WebSocket that is held.
  messages: socket(frame(`{"b":"${"Q".repeat(MIB / 4)}`, 60 * MIB)),
  // Small messages of a WebSocket, none of whose answers is waited for.
  frames: socket(...Array.from({ length: 4_096 }, () => frame("{}"))),
  // Bodies that are held.
  unfinished: begun(`{"b":"${"Q".repeat(MIB / 4)}`),
};
