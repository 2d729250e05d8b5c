import { createLineClient, createTransport, type Line } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { CALL_TIMEOUTS, exchange } from "../../../packages/providers/src/adapters/call.ts";
import { chatstyleImage } from "../../../packages/providers/src/adapters/image/chatstyle/index.ts";
import { imageAdapters } from "../../../packages/providers/src/adapters/image/index.ts";
import { chatstyle as speech } from "../../../packages/providers/src/adapters/speech/chatstyle.ts";
import { reading } from "../../core/operations/speech/kit.ts";
import { askOf } from "./image/kit.ts";

const MIB = 1024 * 1024;
const LARGEST_REPLY = 96 * MIB;
const LARGEST_STREAM = 256 * MIB;

/** An answer that repeats one piece far past every bound, and a line to whoever gives it. */
function endless(piece: Uint8Array, head: ResponseInit) {
  const told = { read: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        told.read += piece.length;
        if (told.read > LARGEST_STREAM + 32 * MIB) controller.close();
        else controller.enqueue(piece);
      },
      cancel() {
        told.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { told, line: lineTo(() => new Response(body, head)) };
}

const client = createLineClient(createTransport());
const lineTo = (answer: () => Response): Line => ({
  service: {
    wire: "chatstyle",
    origin: "http://127.0.0.1:9",
    base: "",
    auth: { header: "x-api-key" },
    key: "key",
  },
  client: client.extend({ fetch: async () => answer() }),
  signal: new AbortController().signal,
  now: Date.now,
  model: "m",
  user: "u",
});

const spaces = new Uint8Array(MIB).fill(0x20);
/** A comment, and a picture. */
const picture = (() => {
  const event = '\n\ndata: {"type":"image_generation.completed","b64_json":"AAAA"}\n\n';
  return Buffer.from(`:${event.padStart(MIB - 1)}`);
})();

const call = { method: "POST", path: "/work", json: {}, timeout: CALL_TIMEOUTS.generate } as const;
const ask = askOf();

type Row = [name: string, head: ResponseInit, read: (line: Line) => Promise<unknown>];
const rows: Row[] = [
  ["of any call", {}, (line) => exchange(line, call)],
  ["of a call that was refused", { status: 500 }, (line) => exchange(line, call)],
  ...Object.entries(imageAdapters).map(
    ([wire, adapter]): Row => [`of pictures by ${wire}`, {}, (line) => adapter.submit(line, ask)],
  ),
  ["of pictures that were to be streamed", {}, (line) => chatstyleImage.submit(line, ask, () => {})],
  ["of a reading that failed", { status: 500 }, (line) => speech.submit(line, reading())],
];

describe("a reply beyond the size limit", () => {
  test.each(rows)("a reply beyond the size limit is cancelled with a fault: %s", async (_, head, read) => {
    const { line, told } = endless(spaces, head);
    await expect(read(line)).rejects.toMatchObject({ kind: "too_large" });
    expect(told).toEqual({ read: LARGEST_REPLY + MIB, cancelled: true });
  });

  test("streamed pictures beyond the size limit are cancelled with a fault", async () => {
    const { line, told } = endless(picture, { headers: { "content-type": "text/event-stream" } });
    const read = chatstyleImage.submit(line, ask, () => {});
    await expect(read).rejects.toMatchObject({ kind: "too_large" });
    expect(told).toEqual({ read: LARGEST_STREAM + MIB, cancelled: true });
  });
});

test("a reply of the maximum size is read, with a byte order mark or without", async () => {
  const whole = Buffer.alloc(LARGEST_REPLY, " ");
  whole.write('{"a":1}');
  const largest = lineTo(() => new Response(whole));
  expect(await exchange(largest, call)).toEqual({ status: 200, body: { a: 1 } });
  const marked = lineTo(() => new Response('\u{feff}{"a":1}', { headers: { "retry-after": "2" } }));
  expect(await exchange(marked, call)).toEqual({ status: 200, body: { a: 1 }, retryAfter: 2_000 });
});
