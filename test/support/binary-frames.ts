import { crc32 } from "node:zlib";

/** A header's value: text, or the type and the bytes of another. */
export type HeaderValue = string | { type: number; bytes: Uint8Array };

/** Writes one message of `application/vnd.amazon.eventstream`. */
export function binaryFrame(headers: Readonly<Record<string, HeaderValue>>, payload: Uint8Array): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => {
      const { type, bytes } = typeof value === "string" ? { type: 7, bytes: Buffer.from(value) } : value;
      const sized = type === 6 || type === 7;
      const length = Buffer.alloc(sized ? 2 : 0);
      if (sized) length.writeUInt16BE(bytes.length);
      const key = Buffer.from(name);
      return [Buffer.from([key.length]), key, Buffer.from([type]), length, bytes];
    }),
  );
  const frame = Buffer.alloc(16 + head.length + payload.length);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(head.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  head.copy(frame, 12);
  frame.set(payload, 12 + head.length);
  frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4);
  return frame;
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** An event of a model's answer, as it stands in a stream of Bedrock. */
export const chunkFrame = (event: string): Buffer =>
  binaryFrame(
    { ":event-type": "chunk", ":content-type": "application/json", ":message-type": "event" },
    json({ bytes: Buffer.from(event).toString("base64"), p: "abcdefgh" }),
  );

/** The exception that such a stream ends with. */
export const exceptionFrame = (name: string, message: string): Buffer =>
  binaryFrame(
    { ":exception-type": name, ":content-type": "application/json", ":message-type": "exception" },
    json({ message }),
  );
