import { run } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBinaryFrames } from "../../../packages/providers/src/frames/binary.ts";
import { messageEvents } from "../../../packages/providers/src/frames/messages.ts";
import { binaryFrame, chunkFrame, exceptionFrame, type HeaderValue } from "../../support/binary-frames.ts";

const sizes: Record<number, number> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const value: fc.Arbitrary<HeaderValue> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.uint8Array({ maxLength: 20 }).map((one) => ({ type: 6, bytes: one })),
  ...Object.entries(sizes).map(([type, size]) =>
    bytes(size).map((one) => ({ type: Number(type), bytes: one })),
  ),
);
const name = fc.stringMatching(/^[:\w-]{1,12}$/).filter((one) => one !== "__proto__");
const message = fc.record({
  headers: fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true }),
  payload: fc.uint8Array({ maxLength: 60 }),
});
type Message = typeof message extends fc.Arbitrary<infer One> ? One : never;
const written = (messages: readonly Message[]): Buffer =>
  Buffer.concat(messages.map(({ headers, payload }) => binaryFrame(headers, payload)));
const endsOf = (messages: readonly Message[]): number[] =>
  messages.map((_, index) => written(messages.slice(0, index + 1)).length);
const textsOf = ({ headers, payload }: Message) => ({
  headers: Object.fromEntries(Object.entries(headers).filter(([, one]) => typeof one === "string")),
  payload: [...payload],
});

/** Cuts bytes at these shares of their length. */
const cut = (whole: Uint8Array, shares: readonly number[]): Uint8Array[] => {
  const places = shares.map((share) => Math.floor(share * whole.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, at) => whole.subarray(from, places[at] ?? whole.length));
};
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });

/** Everything that came before the first fault, and whether there was one. */
function readAll(pieces: readonly Uint8Array[], limit?: number) {
  const machine = readBinaryFrames(limit);
  const frames: { headers: object; payload: number[] }[] = [];
  const keep = (read: ReturnType<typeof machine.end>) =>
    frames.push(...read.map(({ headers, payload }) => ({ headers, payload: [...payload] })));
  try {
    for (const piece of pieces) keep(machine.step(piece));
    keep(machine.end());
    return { frames };
  } catch (error) {
    return { frames, fault: (error as Error).message };
  }
}

describe("binary frames", () => {
  it("the empty message has the checksums that the format's description gives it", () => {
    const empty = Buffer.from("000000100000000005c248eb7d98c8ff", "hex");
    expect(binaryFrame({}, new Uint8Array())).toEqual(empty);
    expect(readAll([empty])).toEqual({ frames: [{ headers: {}, payload: [] }] });
  });

  it("messages are read as they were written, wherever their bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), shares, (messages, places) => {
        expect(readAll(cut(written(messages), places))).toEqual({ frames: messages.map(textsOf) });
      }),
    );
  });

  it("a damaged byte ends the stream behind the messages before it, wherever bytes are cut", () => {
    const damage = fc.record({ at: fc.nat(), mask: fc.integer({ min: 1, max: 255 }) });
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 4 }),
        damage,
        shares,
        (messages, d, places) => {
          const whole = written(messages);
          const at = d.at % whole.length;
          whole[at] = (whole[at] as number) ^ d.mask;
          const { frames, fault } = readAll(cut(whole, places));
          const ends = endsOf(messages);
          const before = messages.filter((_, index) => (ends[index] as number) <= at);
          expect(frames).toEqual(before.map(textsOf));
          expect(fault).toBeDefined();
        },
      ),
    );
  });

  it("a stream that ends within a message is broken, and one at a message's end is whole", () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 3 }), fc.nat(), (messages, seed) => {
        const whole = written(messages);
        const short = whole.subarray(0, seed % whole.length);
        const ends = [0, ...endsOf(messages)];
        expect(readAll([short]).fault).toBe(
          ends.includes(short.length) ? undefined : "the stream ended within a message",
        );
      }),
    );
  });

  it("a message that says it is longer than the limit is refused before it is there", () => {
    const long = binaryFrame({}, new Uint8Array(100));
    expect(readAll([long.subarray(0, 12)], 115).fault).toBe("a message has more than 115 bytes");
    expect(readAll([long], 116)).toMatchObject({ frames: [{}] });
  });
});

describe("messages in binary frames", () => {
  const textOf = (frames: readonly Buffer[]) => run(messageEvents(), frames).join("");

  it("a chunk is the event in it, with the spelling of its numbers", () => {
    const event = '{"type":"content_block_delta",\n"index":1.0,"delta":{"type":"text_delta","text":"a\\nß"}}';
    expect(textOf([chunkFrame(event)])).toBe(
      `event: content_block_delta\ndata: ${event.replace("\n", " ")}\n\n`,
    );
  });

  it.each([
    ["throttlingException", "rate_limit_error"],
    ["serviceUnavailableException", "overloaded_error"],
    ["modelTimeoutException", "timeout_error"],
    ["validationException", "invalid_request_error"],
    ["modelStreamErrorException", "api_error"],
    ["internalServerException", "api_error"],
    ["somethingNew", "api_error"],
  ])("the exception %s is the error %s of the protocol", (name, type) => {
    const text = textOf([exceptionFrame(name, "Too much.")]);
    expect(text).toBe(
      `event: error\ndata: ${JSON.stringify({ type: "error", error: { type, message: "Too much." } })}\n\n`,
    );
  });

  it("events that are no chunks are passed over, and a chunk without an event is broken", () => {
    const other = binaryFrame({ ":message-type": "event", ":event-type": "hello" }, Buffer.from("{}"));
    expect(textOf([other])).toBe("");
    expect(() => textOf([chunkFrame("[]")])).toThrow("a chunk contains no event");
  });
});
