import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { Message } from "@manifold-gateway/gateway";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FramedConnection } from "../../../apps/server/src/listener/framed-connection.ts";
import { opcodes } from "../../../apps/server/src/listener/frames.ts";

const EMPTY = new Uint8Array(0);
const MASK = Uint8Array.from([1, 2, 3, 4]);

interface Frame {
  opcode: number;
  isFinal: boolean;
  payload: Uint8Array;
  mask: Uint8Array;
}

function write({ opcode, isFinal, payload, mask }: Frame): Buffer {
  const { length } = payload;
  const size = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const head = Buffer.alloc(size);
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  head[1] = 0x80 | (size === 2 ? length : size === 4 ? 126 : 127);
  if (size === 4) head.writeUInt16BE(length, 2);
  if (size === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at & 3] as number))]);
}

/** The connection of a client, and what becomes of its bytes. */
function connect() {
  // As a socket, it does not close because the client has sent all.
  const under = new PassThrough({ autoDestroy: false });
  const framed = new FramedConnection(under, Buffer.alloc(0));
  const control: Buffer[] = [];
  const messages: Promise<{ isText: boolean; announced: number | undefined; bytes: Buffer }>[] = [];
  const faults: string[] = [];
  framed.on("data", (chunk: Buffer) => control.push(chunk));
  return { under, framed, control, messages, faults };
}
type Connection = ReturnType<typeof connect>;

/** Reads each message as it begins. */
function readAll({ framed, messages, faults }: Connection): void {
  framed.listen({
    message(message) {
      const { isText, announced } = message;
      messages.push(
        message.toArray().then((pieces) => ({ isText, announced, bytes: Buffer.concat(pieces) })),
      );
    },
    fault: (reason) => faults.push(reason),
  });
}

const mask = fc.uint8Array({ minLength: 4, maxLength: 4 });
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.constantFrom(125, 126, 65_535, 65_536, 200_000).map((length) => new Uint8Array(length).fill(7)),
);
const ping = fc
  .record({ payload: fc.uint8Array({ maxLength: 125 }), mask })
  .map((one): Frame => ({ ...one, opcode: opcodes.ping, isFinal: true }));
/** A message in its frames, with pings between them. */
const message = fc
  .record({
    isText: fc.boolean(),
    parts: fc.array(fc.record({ payload, mask, pings: fc.array(ping, { maxLength: 2 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map(({ isText, parts }) => ({
    isText,
    announced: parts.length === 1 ? parts[0]?.payload.length : undefined,
    bytes: Buffer.concat(parts.map((part) => part.payload)),
    frames: parts.flatMap(({ pings, ...part }, at): Frame[] => [
      {
        ...part,
        opcode: at > 0 ? opcodes.continuation : isText ? opcodes.text : opcodes.binary,
        isFinal: at === parts.length - 1,
      },
      ...pings,
    ]),
  }));

it("messages are read as they were sent, and other frames passed on, wherever the bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { maxLength: 4 }),
      fc.array(fc.nat(70_000), { maxLength: 20 }),
      async (sent, cuts) => {
        const connection = connect();
        readAll(connection);
        const frames = sent.flatMap((one) => one.frames);
        let rest = Buffer.concat(frames.map(write));
        for (const cut of cuts) {
          connection.under.write(rest.subarray(0, cut));
          rest = rest.subarray(Math.min(cut, rest.length));
          await new Promise(setImmediate);
        }
        connection.under.end(rest);
        await once(connection.framed, "end");
        const messages = await Promise.all(connection.messages);
        expect(messages).toEqual(sent.map(({ isText, announced, bytes }) => ({ isText, announced, bytes })));
        const pings = frames.filter(({ opcode }) => opcode === opcodes.ping).map(write);
        expect(Buffer.concat(connection.control)).toEqual(Buffer.concat(pings));
        expect(connection.faults).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

it("nothing of a message is taken before it is read, and then at the pace of its reader", async () => {
  const { under, framed } = connect();
  const begun = Promise.withResolvers<Message>();
  framed.listen({ message: begun.resolve, fault: begun.reject });
  const whole = { opcode: opcodes.text, isFinal: true, payload: new Uint8Array(1024 * 1024), mask: MASK };
  const pieces = write(whole);
  let taken = 0;
  const feed = (): void => {
    while (taken < pieces.length) {
      const piece = pieces.subarray(taken, taken + 16_384);
      taken += piece.length;
      if (!under.write(piece)) return void under.once("drain", feed);
    }
  };
  feed();
  const message = await begun.promise;
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(message.readableLength).toBe(0);
  // What the streams hold between the client and the message.
  expect(taken).toBeLessThan(256 * 1024);
  const read = await message.toArray();
  expect(Buffer.concat(read)).toHaveLength(1024 * 1024);
});

const text = { opcode: opcodes.text, isFinal: true, payload: Buffer.from("{}"), mask: MASK };
const continuation = { ...text, opcode: opcodes.continuation };
const begin = { ...text, isFinal: false };

it.each([
  ["a continuation of nothing", [continuation]],
  ["a message within another", [begin, text]],
  ["an undefined opcode", [{ ...text, opcode: 3 }]],
  ["a fragmented ping", [{ ...text, opcode: opcodes.ping, isFinal: false }]],
  [
    "a message of too many frames",
    [begin, ...Array(20_000).fill({ ...continuation, payload: EMPTY, isFinal: false })],
  ],
  ["a long ping", [{ ...text, opcode: opcodes.ping, payload: new Uint8Array(126) }]],
])("what is not in the protocol is a fault, and nothing behind it is looked at: %s", async (_, frames) => {
  const connection = connect();
  readAll(connection);
  connection.under.end(Buffer.concat([...frames, text, text].map(write)));
  await once(connection.framed, "end");
  expect(connection.faults).toHaveLength(1);
  expect(connection.messages.length).toBeLessThanOrEqual(1);
  await Promise.allSettled(connection.messages);
});

it("after a goodbye messages are passed over, and a client that goes on is cut off", async () => {
  const connection = connect();
  readAll(connection);
  connection.framed.leave();
  connection.under.write(Buffer.concat([text, { ...text, opcode: opcodes.close }].map(write)));
  await once(connection.framed, "data");
  expect(connection.messages).toEqual([]);
  const closed = once(connection.framed, "close");
  for (let sent = 0; sent < 2 * 1024 * 1024 && !connection.under.destroyed; sent += 65_536) {
    connection.under.write(Buffer.alloc(65_536));
    await new Promise(setImmediate);
  }
  await closed;
  expect(connection.messages).toEqual([]);
});

it("after a goodbye only the first of many small frames are looked at", async () => {
  const connection = connect();
  readAll(connection);
  connection.framed.leave();
  const close = { ...text, opcode: opcodes.close };
  connection.under.end(Buffer.concat([...Array(1_000).fill(text), close].map(write)));
  await once(connection.framed, "end");
  expect(connection.messages).toEqual([]);
  expect(connection.control).toEqual([]);
});
