import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createTransport } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";

/** What comes of one call to a server that answers it so. */
async function called(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = createTransport();
  try {
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const response = await transport.send({ origin, path: "/", method: "POST", headers: {}, body: "{}" });
    return { ...response, text: Buffer.from(await response.body.bytes(1_000)).toString() };
  } finally {
    await transport.close();
    server.close();
  }
}

describe("an answer after interim responses", () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ["early hints", (response) => response.writeEarlyHints({ link: "</x>; rel=preload" })],
    ["processing", (response) => response.writeProcessing()],
    [
      "both, more than once",
      (response) => {
        for (let i = 0; i < 3; i++) {
          response.writeProcessing();
          response.writeEarlyHints({ link: "</x>; rel=preload" });
        }
      },
    ],
  ])("an answer after interim responses is the final one: %s", async (_, announce) => {
    const answer = await called((_, response) => {
      announce(response);
      response.writeHead(201, { "content-type": "text/plain" }).end("here it is");
    });
    expect([answer.status, answer.headers["content-type"], answer.text]).toEqual([
      201,
      "text/plain",
      "here it is",
    ]);
  });
});

it("the next piece of a body is taken only when the one before has been sent", async () => {
  const long = Buffer.alloc(32 * 1024 * 1024, "A");
  const happened: string[] = [];
  function* pieces() {
    yield Buffer.from("[");
    yield long;
    happened.push("sent");
    yield Buffer.from("]");
  }
  let received = 0;
  const server = createServer(async (request, response) => {
    // What is not read cannot be sent: the buffers in between are smaller.
    for (let turn = 0; turn < 100; turn++) await new Promise((next) => setImmediate(next));
    happened.push("read");
    for await (const piece of request) received += piece.length;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = createTransport();
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const length = long.length + 2;
    const body = { length, [Symbol.iterator]: pieces };
    const response = await transport.send({ origin, path: "/", method: "POST", headers: {}, body });
    await response.body.bytes(1_000);
    expect(received).toBe(length);
    expect(happened).toEqual(["read", "sent"]);
  } finally {
    await transport.close();
    server.close();
  }
});
