import { createServer } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

let answer: Buffer = Buffer.alloc(0);
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "application/json" }).end(answer);
});
let harness: Stage;
beforeAll(async () => {
  const { origin } = await listen(server);
  harness = await startStage({
    models: [model("same", "p")],
    providers: new Map([["p", defineProvider("p", { origin, speaks: ["chatstyle"] })]]),
  });
});
afterAll(async () => {
  await harness.close();
  server.closeAllConnections();
  server.close();
});

const reply = (content: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from('{ "unheard_of": 1.0, "choices": [{"index":0,"message":{"role":"assistant","content":"'),
    content,
    Buffer.from('"},"finish_reason":"stop"}],\n"usage":{"prompt_tokens":3,"completion_tokens":4}}'),
  ]);

it.each<[string, Buffer]>([
  ["spelled in its own way", reply(Buffer.from("größe \\u00e9 😀"))],
  ["cut in the middle of a character", reply(Buffer.from([0x67, 0xf0, 0x9f, 0x98]))],
  ["in another encoding", reply(Buffer.from("größe", "latin1"))],
  ["behind a byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), reply(Buffer.from("mark"))])],
])("a reply in the caller's own protocol is handed on byte for byte: %s", async (_, bytes) => {
  answer = bytes;
  const response = await harness.call("/api/chatstyle/v1/chat/completions", {
    model: "same",
    messages: [{ role: "user", content: "Hello" }],
  });
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  expect(Number(response.headers.get("x-cost"))).toBeGreaterThan(0);
});
