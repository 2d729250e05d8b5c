import { crc32 } from "node:zlib";

/** The headers of a frame: texts, of which each is named, typed and measured. */
function headersOf(headers: Record<string, string>): Buffer {
  const TEXT = 7;
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => {
      const [key, text] = [Buffer.from(name), Buffer.from(value)];
      return [Buffer.from([key.length]), key, Buffer.from([TEXT, text.length >> 8, text.length & 255]), text];
    }),
  );
}

/** An event or an exception in a frame of `application/vnd.amazon.eventstream`. */
export function binaryFrame(event: string, json: string): Buffer {
  const kind = event.endsWith("Exception") ? "exception" : "event";
  const head = headersOf({
    [`:${kind}-type`]: event,
    ":content-type": "application/json",
    ":message-type": kind,
  });
  const payload = Buffer.from(json);
  const frame = Buffer.alloc(16 + head.length + payload.length);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(head.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  head.copy(frame, 12);
  payload.copy(frame, 12 + head.length);
  frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4);
  return frame;
}
