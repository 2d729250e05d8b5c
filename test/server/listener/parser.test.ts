import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createHttpServer } from "../../../apps/server/src/listener/server.ts";

const node = (_: unknown, response: ServerResponse): void => void response.end("served");
const server = createHttpServer(
  { node },
  { connections: 10, connectionsPerAddress: 10, requestsPerMinutePerAddress: 60_000 },
);
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

/** All that a connection answers to raw text, up to its end. */
async function raw(text: string): Promise<string> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  return answer;
}

const envelope = z.strictObject({
  errors: z.array(z.string().min(1)).length(1),
  status: z.int(),
  success: z.literal(false),
  code: z.string(),
  path: z.string().min(1),
  timestamp: z.int(),
});

it.each([
  ["no HTTP", "nonsense\r\n\r\n", 400],
  ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["two hosts", "GET / HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\n", 400],
  ["no version", "GET /\r\n\r\n", 400],
  ["a version of long ago", "GET / HTTP/0.9\r\nhost: x\r\n\r\n", 400],
  ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx", 400],
  [
    "a length and chunks",
    "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
  ],
  ["headers that are too large", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, 431],
  ["an expectation", "POST / HTTP/1.1\r\nhost: x\r\nexpect: a miracle\r\ncontent-length: 0\r\n\r\n", 417],
  ["a wish for a tunnel", "CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere:443\r\n\r\n", 405],
])("%s is refused in the envelope, and the connection ends", async (_, text, status) => {
  const answer = await raw(text);
  const [head = "", body = ""] = answer.split("\r\n\r\n", 2);
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head.toLowerCase()).toContain("content-type: application/json");
  expect(head.toLowerCase()).toContain("connection: close");
  const json = body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1);
  expect(envelope.parse(JSON.parse(json)).status).toBe(status);
});

const long = "y".repeat(20_000);
it.each([
  ["with too many bytes of headers", `GET /a/b HTTP/1.1\r\nhost: x\r\nx: ${long}\r\n\r\n`, "/a/b"],
  ["with a query that is too long", `GET /a/b?${long} HTTP/1.1\r\nhost: x\r\n\r\n`, "/a/b"],
  [
    "with two lengths",
    "POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx",
    "/a",
  ],
  ["with a path that is too long", `GET /${long} HTTP/1.1\r\nhost: x\r\n\r\n`, "/"],
  ["without a method", "nonsense /a HTTP/1.1\r\n\r\n", "/"],
])("the refusal of a request %s has its path, as far as it is known", async (_, text, path) => {
  const answer = await raw(text);
  expect(JSON.parse(answer.slice(answer.indexOf("{"))).path).toBe(path);
});

it("a refusal has the path of its own request, not of one before it on the connection", async () => {
  const first = "GET /first HTTP/1.1\r\nhost: x\r\n\r\n";
  const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  socket.write(first);
  await once(socket, "data");
  socket.write(`GET /second HTTP/1.1\r\nhost: x\r\nx: ${long}\r\n\r\n`);
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  expect(answer).toContain('"path":"/second"');
});

it("a request of HTTP/1.0 needs no host", async () => {
  expect(await raw("GET / HTTP/1.0\r\n\r\n")).toMatch(/200 OK[\s\S]*served$/);
});
