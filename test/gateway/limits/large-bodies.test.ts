import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

const arrived: string[] = [];
const upstream = createServer(async (request, response) => {
  const chunks: Buffer[] = await request.toArray();
  arrived.push(Buffer.concat(chunks).toString());
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const choices = [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }];
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ choices, usage }));
});
let h: Stage;

beforeAll(async () => {
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  h = await startStage({
    models: [model("same", "p")],
    providers: new Map([["p", defineProvider("p", { origin, speaks: ["chatstyle"] })]]),
  });
});
afterAll(async () => {
  await h.close();
  upstream.closeAllConnections();
  upstream.close();
});

const bodyOf = (letter: string): string => {
  const image_url = { url: `data:image/png;base64,${letter.repeat(300_000)}` };
  const content = [
    { type: "text", text: letter },
    { type: "image_url", image_url },
  ];
  return JSON.stringify({ model: "same", messages: [{ role: "user", content }] });
};
const requestOf = (body: string): string =>
  `POST /api/chatstyle/v1/chat/completions HTTP/1.1\r\nhost: h\r\nx-api-key: ${KEY}\r\n` +
  `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

it("large bodies behind one another on a connection stay apart", async () => {
  const bodies = ["A", "B", "C"].map(bodyOf);
  const socket = connect(Number(new URL(h.origin).port), "127.0.0.1");
  socket.write(bodies.map(requestOf).join(""));
  let answers = "";
  for await (const chunk of socket) {
    answers += chunk;
    if (answers.split("HTTP/1.1 200").length > bodies.length) break;
  }
  expect(arrived.splice(0).sort()).toEqual(bodies);
});

it("the memory of a large body is freed once it is answered", async () => {
  const body = bodyOf("D");
  const given: number[] = [];
  const transfer = ArrayBuffer.prototype.transfer;
  const spy = vi.spyOn(ArrayBuffer.prototype, "transfer").mockImplementation(function (
    this: ArrayBuffer,
    length,
  ) {
    given.push(this.byteLength);
    return transfer.call(this, length);
  });
  try {
    const answer = await h.call("/api/chatstyle/v1/chat/completions", body);
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: "Hi" } }] });
    await h.settled();
  } finally {
    spy.mockRestore();
  }
  expect(arrived.splice(0)).toEqual([body]);
  expect(given).toContain(body.length);
});
