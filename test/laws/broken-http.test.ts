import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Desk, startDesk } from "../gateway/routing/desk.ts";
import { recordLog } from "../support/log.ts";

/** What a provider sends in place of an answer, and how it ends the connection. */
interface Breakage {
  bytes: Buffer;
  ending: "keep" | "close" | "reset";
}

let answer: Breakage;
let server: Server;
let desk: Desk;
const { log, entries } = recordLog();

/** Answers each request with the bytes of the moment, once its body has come. */
function serve(socket: Socket): void {
  let text = "";
  socket.on("error", () => {});
  socket.on("data", (piece) => {
    text += piece.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (head < 0 || text.length < head + 4 + length) return;
    text = "";
    const { bytes, ending } = answer;
    if (ending === "close") socket.end(bytes);
    else socket.write(bytes, () => void (ending === "reset" && socket.resetAndDestroy()));
  });
}

beforeAll(async () => {
  server = createServer(serve).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const more = { origin: `http://127.0.0.1:${port}`, timeouts: { firstByte: 500, idle: 500 } };
  const circuit = { failures: 1_000_000, openFor: 1_000 };
  desk = await startDesk({ broken: { more }, sound: {} }, { log, routing: { circuit } });
});
afterAll(async () => {
  await desk.close();
  server.close();
});
beforeEach(() => void entries.splice(0));

const messages = [{ role: "user", content: "Hello" }];
const GENERATE = "/api/genstyle/v1beta/models/m:";
const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
/** Requests of every surface, with the form of its errors. */
const requests = fc.constantFrom<{ path: string; body: object; form: object }>(
  ...[false, true].flatMap((stream) => [
    {
      path: "/api/chatstyle/v1/chat/completions",
      body: { model: "m", stream, messages },
      form: { error: { message: expect.any(String), type: "server_error" } },
    },
    {
      path: "/api/chatstyle/v1/responses",
      body: { model: "m", stream, input: "Hello" },
      form: { error: { message: expect.any(String), type: "server_error" } },
    },
    {
      path: "/api/msgstyle/v1/messages",
      body: { model: "m", stream, max_tokens: 100, messages },
      form: { type: "error", error: { type: "api_error" } },
    },
    {
      path: GENERATE + (stream ? "streamGenerateContent?alt=sse" : "generateContent"),
      body: { contents },
      form: { error: { code: 502 } },
    },
    { path: "/api/v1/text/completions", body: { model: "m", messages }, form: {} },
  ]),
);

const CALL = '{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,';
const WHOLE = `${CALL}"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`;
const EVENT = `data: ${CALL.replace("completion", "completion.chunk")}"delta":{"role":"assistant","content":"Hi"}}]}\n\n`;

const buffer = (text: string): Buffer => Buffer.from(text, "latin1");
const ending = fc.constantFrom<Breakage["ending"]>("keep", "close", "reset");
const closing = fc.constantFrom<Breakage["ending"]>("close", "reset");
const broken = (bytes: fc.Arbitrary<Buffer>, end = ending): fc.Arbitrary<Breakage> =>
  fc.record({ bytes, ending: end });
const junk = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(..."az09 :/-_\0\xff\t".split("")), minLength: 1, maxLength: length });
const REST = "\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";

/** Bytes that begin as no answer of HTTP does. */
const statusLine = broken(
  fc.oneof(
    junk(30).map((text) => buffer(`x${text}\r\n\r\n`)),
    fc
      .constantFrom("HTTP/3.0 200 OK", "HTTP/1.7 200 OK", "HTTP/x 200 OK", "HTTP/1.1200 OK")
      .map((line) => buffer(line + REST)),
    fc
      .constantFrom("abc", "20", "2", "1e3", "2000", "-20")
      .map((status) => buffer(`HTTP/1.1 ${status} OK${REST}`)),
    fc.integer({ min: 600, max: 999 }).map((status) => buffer(`HTTP/1.1 ${status} OK${REST}`)),
    fc.constantFrom("000", "099").map((status) => buffer(`HTTP/1.1 ${status} OK${REST}`)),
  ),
  fc.constant("keep"),
);

const ok = (headers: string, body = "{}"): Buffer => buffer(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n${body}`);
const chunked = (body: string): Buffer =>
  ok("content-type: application/json\r\ntransfer-encoding: chunked", body);

/** Answers that begin well and break before there is anything of a body. */
const head = fc.oneof(
  broken(
    fc.oneof(
      junk(20).map((text) => ok(`${text.replaceAll(":", "-")}\0`)),
      fc
        .constantFrom("-1", "abc", "1, 2", "0x2", "1e1", `9${"9".repeat(30)}`, "")
        .map((length) => ok(`content-length: ${length}x`)),
      fc.constant(ok("content-length: 2\r\ncontent-length: 3")),
      fc.constant(ok("content-length: 2\r\ntransfer-encoding: chunked", "2\r\n{}\r\n0\r\n\r\n")),
      fc.integer({ min: 65_537, max: 200_000 }).map((size) => ok(`a: ${"b".repeat(size)}`)),
      fc
        .constantFrom("101 Switching\r\nupgrade: x\r\nconnection: upgrade", "101 Switching")
        .map((line) => buffer(`HTTP/1.1 ${line}\r\n\r\n`)),
      fc
        .constantFrom("zstd", "gzip, br", "x")
        .map((encoding) => ok(`content-encoding: ${encoding}\r\ncontent-length: 2`)),
    ),
  ),
  broken(
    fc.oneof(
      fc
        .integer({ min: 0, max: WHOLE.length })
        .map((cut) => ok("content-length: 2").subarray(0, Math.min(cut, 30))),
      fc.integer({ min: 0, max: 50 }).map((many) => buffer("HTTP/1.1 100 Continue\r\n\r\n".repeat(many))),
      fc
        .integer({ min: 0, max: 50 })
        .map((many) => buffer("HTTP/1.1 103 Early\r\nlink: </x>\r\n\r\n".repeat(many))),
    ),
    closing,
  ),
);

/** Whole answers that break within their body. */
const body = fc.oneof(
  broken(
    fc.oneof(
      junk(6).map((size) => chunked(`x${size}\r\n${WHOLE}\r\n0\r\n\r\n`)),
      fc.constant(chunked(`${"f".repeat(20)}\r\n${WHOLE}\r\n0\r\n\r\n`)),
      fc
        .integer({ min: 1, max: WHOLE.length - 1 })
        .map((size) => chunked(`${size.toString(16)}\r\n${WHOLE}\r\n0\r\n\r\n`)),
      fc
        .integer({ min: 1, max: WHOLE.length - 1 })
        .map((size) => ok(`content-type: application/json\r\ncontent-length: ${size}`, WHOLE)),
      junk(40).map((text) => ok(`content-encoding: gzip\r\ncontent-length: ${text.length + 1}`, `x${text}`)),
    ),
  ),
  broken(
    fc.oneof(
      fc
        .integer({ min: 1, max: 1_000 })
        .map((more) => ok(`content-type: application/json\r\ncontent-length: ${WHOLE.length + more}`, WHOLE)),
      fc
        .integer({ min: 1, max: WHOLE.length - 1 })
        .map((cut) => chunked(`${WHOLE.length.toString(16)}\r\n${WHOLE.slice(0, cut)}`)),
      fc.integer({ min: 1, max: 20 }).map((cut) => {
        const packed = gzipSync(WHOLE).subarray(0, -cut);
        return Buffer.concat([
          ok(
            `content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}`,
            "",
          ),
          packed,
        ]);
      }),
    ),
    closing,
  ),
);

/** Streams that break after their first event. */
const stream = broken(
  fc
    .constantFrom("zz\r\n", `${"f".repeat(20)}\r\n`, "5\r\nab", "")
    .map((rest) =>
      ok(
        "content-type: text/event-stream\r\ntransfer-encoding: chunked",
        `${EVENT.length.toString(16)}\r\n${EVENT}\r\n${rest}`,
      ),
    ),
  closing,
);

/** The answer to a request whose first entry is broken so. */
async function ask(path: string, request: object, breakage: Breakage) {
  answer = breakage;
  const before = desk.calls().sound ?? 0;
  const response = await desk.call(path, request);
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
  } catch {
    // A stream that broke is cut.
  }
  expect(entries.filter(({ level, message }) => level === "error" || message === "defect")).toEqual([]);
  return { status: response.status, text, isSoundCalled: (desk.calls().sound ?? 0) > before };
}

const runs = { numRuns: 50 };

it("a provider whose answer has no status line of HTTP is passed over for the next entry", () =>
  fc.assert(
    fc.asyncProperty(requests, statusLine, async ({ path, body: request }, breakage) => {
      const { status, text, isSoundCalled } = await ask(path, request, breakage);
      expect({ status, isSoundCalled }).toEqual({ status: 200, isSoundCalled: true });
      expect(text).toContain("You");
    }),
    runs,
  ));

it("a provider whose answer breaks before its first event is to blame, and no other entry is called", () =>
  fc.assert(
    fc.asyncProperty(requests, fc.oneof(head, body), async ({ path, body: request, form }, breakage) => {
      const { status, text, isSoundCalled } = await ask(path, request, breakage);
      expect({ status, isSoundCalled }).toEqual({ status: 502, isSoundCalled: false });
      expect(JSON.parse(text)).toMatchObject({
        ...form,
        status: 502,
        success: false,
        code: "provider_failed",
      });
    }),
    { numRuns: 2 * runs.numRuns },
  ));

it("a stream that breaks after its first event does not look finished, and no other entry is called", () =>
  fc.assert(
    fc.asyncProperty(requests, stream, async ({ path, body: request }, breakage) => {
      const { text, isSoundCalled } = await ask(path, request, breakage);
      expect(isSoundCalled).toBe(false);
      expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed|"finishReason": ?"STOP"/);
    }),
    runs,
  ));

it("bytes after a whole answer change nothing", () =>
  fc.assert(
    fc.asyncProperty(
      requests,
      junk(50),
      fc.constantFrom("close", "keep-alive"),
      ending,
      async ({ path, body: request }, more, connection, end) => {
        const bytes = ok(
          `content-type: application/json\r\nconnection: ${connection}\r\ncontent-length: ${WHOLE.length}`,
          WHOLE + more,
        );
        const { status, text, isSoundCalled } = await ask(path, request, { bytes, ending: end });
        expect({ status, isSoundCalled }).toEqual({ status: 200, isSoundCalled: false });
        expect(text).toContain("Hi");
      },
    ),
    runs,
  ));

it("what broken providers cost is settled", async () => {
  await desk.settled();
  expect(await desk.store.money.audit()).toEqual([]);
});
