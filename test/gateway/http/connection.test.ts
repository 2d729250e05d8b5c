import { createServer } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NodeExchange } from "../../../packages/gateway/src/http/node.ts";
import { streamHeaders } from "../../../packages/gateway/src/http/stream.ts";
import { type Listening, listen } from "../../support/listen.ts";

const timeouts = { clientWriteTimeout: 1_000, clientBodyTimeout: 1_000 };
const server = createServer((request, response) => {
  const { sink } = new NodeExchange(request, response, timeouts);
  sink.head(200, { "content-type": "text/event-stream", ...streamHeaders });
  sink.end("data: {}\n\n");
});
let listening: Listening;
beforeEach(async () => {
  listening = await listen(server);
});
afterEach(() => listening.close());

/** Everything that the server sends until it closes the connection. */
async function answersTo(requests: string): Promise<string> {
  const socket = connect(listening.port, "127.0.0.1");
  socket.write(requests);
  return String(Buffer.concat(await socket.toArray()));
}
const connectionsOf = (answers: string): (string | undefined)[] =>
  [...answers.matchAll(/^connection: (.*)\r$/gim)].map(([, value]) => value);

it.each([
  ["1.1", "connection: close\r\n"],
  ["1.1", "connection: Close, te\r\n"],
  ["1.0", ""],
  ["1.0", "connection: keep-alive\r\n"],
])("a stream ends the connection of HTTP/%s with %j", async (version, header) => {
  const answers = await answersTo(`GET / HTTP/${version}\r\nhost: x\r\n${header}\r\n`);
  expect(answers).toContain("data: {}");
  expect(connectionsOf(answers)).toEqual(["close"]);
});

it("the last stream of a connection ends it, and those before leave it open", async () => {
  server.maxRequestsPerSocket = 3;
  server.keepAliveTimeout = 1;
  const answers = await answersTo("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(3));
  expect(connectionsOf(answers)).toEqual(["keep-alive", "keep-alive", "close"]);
  expect(answers).not.toContain(" 503 ");
});

it("a client that is still sending reads the answer that refuses it", async () => {
  const answered = Promise.withResolvers<void>();
  const refusing = createServer((request, response) => {
    response.once("finish", () => setImmediate(answered.resolve));
    const { sink } = new NodeExchange(request, response, timeouts);
    sink.head(400, { connection: "close" });
    sink.end("refused");
  });
  const { port, close } = await listen(refusing);
  const piece = "x".repeat(64 * 1024);
  const socket = connect(port, "127.0.0.1");
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n${piece}`);
  await answered.promise;
  for (let count = 0; count < 4; count++) await new Promise((written) => socket.write(piece, written));
  expect(String(Buffer.concat(await socket.toArray()))).toMatch(/^HTTP\/1\.1 400 [\s\S]*refused/);
  await close();
});
