import type { Line, Said } from "./stage.ts";

const MASK = Buffer.from([1, 2, 3, 4]);

/** A frame of a client, masked: its payload may be less than the `length` that its head announces. */
export function frameOf(payload: string, { opcode = 1, isFinal = true, length = -1 } = {}): Buffer {
  const bytes = Buffer.from(payload);
  const announced = length < 0 ? bytes.length : length;
  const head = Buffer.alloc(10);
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(announced), 2);
  return Buffer.concat([head, MASK, bytes.map((byte, at) => byte ^ (MASK[at % 4] as number))]);
}

/** Sends bytes as they are on the connection of a socket. */
export const sendBytes = ({ socket }: Line, bytes: Buffer): void =>
  void (socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(bytes);

/** What is still said until the socket closes, and the code that it closes with. */
export async function lastWords(line: Line): Promise<{ events: Said[]; code: number }> {
  const events: Said[] = [];
  try {
    while (true) events.push(await line.next());
  } catch {
    return { events, code: await line.closed };
  }
}
