import { once } from "node:events";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { create, type Line, type SocketStage, stage, textOf } from "./stage.ts";

let s: SocketStage;
beforeAll(async () => {
  s = await stage();
});
afterAll(() => s.close());

/** Answers as if nothing had been. */
async function isWell(line: Line): Promise<void> {
  expect(textOf(await line.answer(create("sim-chatstyle", "Say hello.")))).not.toBe("");
  line.socket.close();
  await line.closed;
}

const good = create("sim-chatstyle", "Say hello.");

describe("refused messages on a socket", () => {
  it.each([
    ["no JSON", "{", 400, "invalid_json", undefined],
    ["no object", "[]", 400, "invalid_json", undefined],
    ["no type", JSON.stringify({ model: "sim-chatstyle" }), 400, "unknown_event", "type"],
    ["another type", JSON.stringify({ type: "response.steer" }), 400, "unknown_event", "type"],
    ["a lane of its own", { ...good, stream_id: "a" }, 400, "invalid_request", "stream_id"],
    ["in the background", { ...good, background: true }, 400, "invalid_request", "background"],
    ["no model", create("", "hi"), 400, "invalid_request", "model"],
    ["an unknown model", create("nobody", "hi"), 400, "model_not_found", "model"],
    ["no input", { type: "response.create", model: "sim-chatstyle" }, 400, "invalid_request", "input"],
    [
      "no input to warm up with",
      { type: "response.create", generate: false },
      400,
      "invalid_request",
      "model",
    ],
    [
      "too deep",
      `${'{"type":"response.create","input":'}${"[".repeat(300)}${"]".repeat(300)}}`,
      400,
      "body_too_complex",
      undefined,
    ],
    ["too large", create("sim-chatstyle", "a b ".repeat(1_100_000)), 413, "body_too_large", undefined],
    ["a prototype", `{"type":"response.create","__proto__":{}}`, 400, "body_too_complex", undefined],
    [
      "a prototype in escapes",
      String.raw`{"type":"response.create","__pr\u006fto__":{}}`,
      400,
      "body_too_complex",
      undefined,
    ],
  ])(
    "a refused message costs nothing, and the socket goes on: %s",
    async (_, message, status, code, param) => {
      const before = await s.h.balance();
      const line = await s.open();
      const [refused] = await line.answer(message);
      expect(refused).toMatchObject({
        ...{ type: "error", status },
        error: { code, ...(param !== undefined && { param }), message: expect.any(String) },
      });
      expect(await s.h.balance()).toEqual(before);
      await isWell(line);
    },
  );

  it("a binary frame is refused at no cost, and the socket goes on", async () => {
    const line = await s.open();
    line.socket.send(Buffer.from(JSON.stringify(good)));
    expect(await line.next()).toMatchObject({ type: "error", status: 400, error: { code: "invalid_json" } });
    await isWell(line);
  });
});

/** A socket that reads nothing, and the end of its connection at the server. */
async function openDeaf(at: SocketStage): Promise<{ socket: WebSocket; over: Promise<unknown> }> {
  const arrives = once(at.server, "connection");
  const { socket } = await at.open();
  const [connection] = (await arrives) as [Socket];
  socket.pause();
  return { socket, over: once(connection, "close") };
}

it("a client that sends more than it reads is disconnected", async () => {
  const { socket, over } = await openDeaf(s);
  const message = JSON.stringify({ type: "x".repeat(90) });
  // Unread, the refusals fill whatever buffers there are.
  const flood = (): void => {
    if (socket.readyState === socket.OPEN) socket.send(message, () => setImmediate(flood));
  };
  for (let at = 0; at < 500; at++) flood();
  await over;
  socket.terminate();
});

it.each([
  ["frames that are none", Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff])],
  ["a frame without a mask", Buffer.from([0x81, 0x02, 0x7b, 0x7d])],
  ["text that is no UTF-8", Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])],
  [
    "a frame that says it is larger than a body may be",
    Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
  ],
])("a socket closes on %s, and no other suffers", async (_, bytes) => {
  const line = await s.open();
  const raw = (line.socket as unknown as { _socket: NodeJS.WritableStream })._socket;
  raw.write(bytes);
  await line.closed;
  expect(s.lines.filter((fields) => "stack" in fields || fields.error !== undefined)).toEqual([]);
  await isWell(await s.open());
});

it("a socket that does not answer pings is disconnected, and no other is", async () => {
  const quick = await stage({ pulse: 250 });
  const line = await quick.open();
  const { socket, over } = await openDeaf(quick);
  await over;
  socket.terminate();
  await isWell(line);
  await quick.close();
});
