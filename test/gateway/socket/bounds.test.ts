import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { SLOW } from "../../system/sdk/shared.ts";
import { frameOf, lastWords, sendBytes } from "./frames.ts";
import { create, type Line, PATH, type SocketStage, stage } from "./stage.ts";

const MIB = 1024 * 1024;
const MODEL = "sim-chatstyle";
let s: SocketStage;
afterEach(() => s.close());

/** A socket, and its connection as the server has it. */
async function openWatched(): Promise<{ line: Line; connection: Socket }> {
  const arrives = once(s.server, "connection");
  const line = await s.open();
  const [connection] = (await arrives) as [Socket];
  return { line, connection };
}

/** A message that warms a connection up, and the id that the next continues. */
const warmUp = async (line: Line, input: unknown, before?: string): Promise<string> => {
  const more = { generate: false, ...(before !== undefined && { previous_response_id: before }) };
  const last = (await line.answer(create(MODEL, input, more))).at(-1);
  expect(last).toMatchObject({ type: "response.completed" });
  return last?.response.id;
};
const text = (bytes: number): string => "word ".repeat(bytes / 5);
/** The status of a request over HTTP with a body of this size. */
const statusOf = async (bytes: number): Promise<number> => {
  const response = await s.h.call(PATH, { model: MODEL, input: text(bytes) });
  await response.text();
  return response.status;
};

describe("the history of a socket", () => {
  it.each([
    ["text", () => text(2.5 * MIB), 413, "body_too_large"],
    [
      "members and items",
      () => [{ type: "message", role: "user", content: "x", more: Array.from({ length: 60_000 }, () => 1) }],
      400,
      "body_too_complex",
    ],
    [
      "items of its input",
      () => Array.from({ length: 1_200 }, () => ({ type: "message", role: "user", content: "x" })),
      400,
      "invalid_request",
    ],
  ])("is held to the limits of a body with what continues it: %s", async (_, input, status, code) => {
    s = await stage();
    const line = await s.open();
    const id = await warmUp(line, input());
    for (const generate of [false, true]) {
      const more = { previous_response_id: id, generate };
      const [refused] = await line.answer(create(MODEL, input(), more));
      expect(refused).toMatchObject({ type: "error", status, error: { code } });
    }
    // What was refused is not remembered.
    expect((await line.answer(create(MODEL, "Go on.", { previous_response_id: id }))).at(-1)?.type).toBe(
      "response.completed",
    );
    line.socket.close();
  });

  it("keeps every character of what was said", async () => {
    s = await stage();
    const line = await s.open();
    const media = `data:image/png;base64,${"iVBOR".repeat(8_000)}`;
    const said = [
      { type: "message", role: "user", content: 'é "quoted" \\ \u0000 \n' },
      { role: "user", content: [{ type: "input_image", image_url: media }] },
    ];
    const first = await warmUp(line, said);
    const second = await warmUp(line, "plain 😀", first);
    const third = await warmUp(line, [], second);
    await line.answer(create("sim-responses", "Go on.", { previous_response_id: third, store: false }));
    expect(s.h.simulator.ledger.last()?.request).toMatchObject({
      input: [
        ...said,
        { type: "message", role: "user", content: "plain 😀" },
        { type: "message", role: "user", content: "Go on." },
      ],
    });
    line.socket.close();
  });

  it("counts among the bytes of its key for as long as it is kept", async () => {
    s = await stage({ limits: { bodyBytesPerKey: MIB } });
    const { line, connection } = await openWatched();
    const statuses = [await statusOf(0.8 * MIB)];
    await warmUp(line, text(0.4 * MIB));
    statuses.push(await statusOf(0.8 * MIB));
    await warmUp(line, "short");
    statuses.push(await statusOf(0.8 * MIB));
    await warmUp(line, text(0.4 * MIB));
    line.socket.close();
    await once(connection, "close");
    statuses.push(await statusOf(0.8 * MIB));
    expect(statuses).toEqual([200, 429, 200, 200]);
  });

  it("is not kept where it would take more than half of the room for bodies", async () => {
    s = await stage({ limits: { bodyBytesPerKey: MIB } });
    const line = await s.open();
    const id = await warmUp(line, text(0.45 * MIB));
    const other = await s.open();
    const lost = await warmUp(other, text(0.2 * MIB));
    const [refused] = await other.answer(
      create(MODEL, "Go on.", { previous_response_id: lost, store: false }),
    );
    expect(refused).toMatchObject({ status: 400, error: { code: "previous_response_not_found" } });
    const kept = await line.answer(create(MODEL, "Go on.", { previous_response_id: id, store: false }));
    expect(kept.at(-1)?.type).toBe("response.completed");
    for (const { socket } of [line, other]) socket.close();
  });
});

describe("a message that is not finished", () => {
  it("is refused to a caller without credit by the length that it announces, and not read", async () => {
    s = await stage({ credit: 0 });
    const { line, connection } = await openWatched();
    const before = connection.bytesRead;
    sendBytes(line, frameOf("", { length: 60 * MIB }));
    const { events, code } = await lastWords(line);
    expect(events).toMatchObject([{ status: 403, error: { code: "insufficient_balance" } }]);
    expect(code).toBe(1009);
    expect(connection.bytesRead - before).toBeLessThan(100);
  });

  it("has its bytes reserved by the length that it announces", async () => {
    s = await stage({ limits: { bodyBytesPerKey: 8 * MIB } });
    const [line, other] = [await s.open(), await s.open()];
    sendBytes(line, frameOf("{", { length: 6 * MIB }));
    // Answered behind it, and without bytes of its own to speak of.
    while ((await statusOf(5)) !== 200);
    sendBytes(other, frameOf("{", { length: 6 * MIB }));
    const { events, code } = await lastWords(other);
    expect(events).toMatchObject([{ status: 429, error: { code: "too_many_bytes" } }]);
    expect(code).toBe(1009);
    line.socket.terminate();
  });

  it("counts together with others of a caller without credit where it announces no length", async () => {
    s = await stage({ credit: 0 });
    const lines = await Promise.all(Array.from({ length: 4 }, () => s.open()));
    // Each less than such a caller may have.
    const part = "x".repeat(1.5 * MIB);
    for (const line of lines) sendBytes(line, frameOf(`{"a":"${part}`, { isFinal: false }));
    const ends = await Promise.race(lines.map(lastWords));
    expect(ends.events).toMatchObject([{ status: 403, error: { code: "insufficient_balance" } }]);
    for (const { socket } of lines) socket.terminate();
  });

  it("ends with the time that a body may take", async () => {
    s = await stage({ limits: { clientBodyTimeout: 50 } });
    const line = await s.open();
    sendBytes(line, frameOf("{", { length: 100 }));
    const { events } = await lastWords(line);
    expect(events).toMatchObject([{ status: 408, error: { code: "request_timeout" } }]);
  });

  it("may be finished after it was refused, and the socket goes on", async () => {
    s = await stage();
    await s.h.store.keys.change({ accountId: "acc", id: "key" }, { restrictions: { requestsPerMinute: 1 } });
    const line = await s.open();
    expect((await line.answer(create(MODEL, "Say hello."))).at(-1)?.type).toBe("response.completed");
    const message = JSON.stringify(create(MODEL, text(MIB)));
    const frame = frameOf(message);
    sendBytes(line, frame.subarray(0, 1_000));
    expect(await line.next()).toMatchObject({ status: 429, error: { code: "too_many_requests" } });
    sendBytes(line, frame.subarray(1_000));
    expect((await line.answer(create(MODEL, "Say hello."))).at(-1)).toMatchObject({ status: 429 });
    line.socket.close();
  });
});

describe("messages during a response", () => {
  it("a second one closes the socket, and what was said by then is charged", async () => {
    s = await stage();
    const before = (await s.h.balance()).balance;
    const line = await s.open();
    line.send(create(MODEL, SLOW));
    while ((await line.next()).type !== "response.output_text.delta");
    line.send(create(MODEL, "Say hello."));
    const { events, code } = await lastWords(line);
    expect(events.filter(({ type }) => type === "error")).toMatchObject([
      { status: 409, error: { code: "response_in_progress" } },
    ]);
    expect(code).toBe(1008);
    await s.h.settled();
    expect((await s.h.balance()).balance).toBeLessThan(before);
    expect(await s.h.store.money.audit()).toEqual([]);
  });

  it("a flood of them is one request, and one refusal", async () => {
    s = await stage();
    const { line, connection } = await openWatched();
    s.lines.splice(0);
    const flood = Buffer.concat(Array.from({ length: 100_000 }, () => frameOf("{}")));
    sendBytes(line, flood);
    expect((await lastWords(line)).code).toBe(1008);
    line.socket.terminate();
    if (!connection.destroyed) await once(connection, "close");
    expect(s.lines.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("pings are answered, however long the response", async () => {
    s = await stage();
    const line = await s.open();
    line.send(create(MODEL, SLOW));
    await line.next();
    line.socket.ping("still here");
    const [data] = await once(line.socket, "pong");
    expect(String(data)).toBe("still here");
    const events = [await line.next()];
    while (events.at(-1)?.type !== "response.completed") events.push(await line.next());
    line.socket.close();
  });
});
