import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createTransport } from "@manifold/providers";
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

describe("an answer that is announced before it comes", () => {
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
  ])("is the one that comes: %s", async (_, announce) => {
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
