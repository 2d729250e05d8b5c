import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { defineProvider } from "@manifold/providers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Harness, KEY, model, startHarness } from "./harness.ts";

const arrived: string[] = [];
const upstream = createServer(async (request, response) => {
  const chunks: Buffer[] = await request.toArray();
  arrived.push(Buffer.concat(chunks).toString());
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const choices = [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }];
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ choices, usage }));
});
/** What a host of the gateway collects for itself. */
let seen: Buffer[] = [];
let listens = false;
let h: Harness;
const host = createServer((req, res) => {
  if (listens) req.on("data", (chunk: Buffer) => seen.push(chunk));
  h.gateway.node(req, res);
});
const portOf = (server: typeof host): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of [upstream, host]) await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${portOf(upstream)}`;
  h = await startHarness({
    models: [model("same", "p")],
    providers: new Map([["p", defineProvider("p", { origin, speaks: ["chatstyle"] })]]),
  });
});
afterAll(async () => {
  await h.close();
  for (const server of [upstream, host]) {
    server.closeAllConnections();
    server.close();
  }
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
  listens = false;
  const bodies = ["A", "B", "C"].map(bodyOf);
  const socket = connect(portOf(host), "127.0.0.1");
  socket.write(bodies.map(requestOf).join(""));
  let answers = "";
  for await (const chunk of socket) {
    answers += chunk;
    if (answers.split("HTTP/1.1 200").length > bodies.length) break;
  }
  expect(arrived.splice(0).sort()).toEqual(bodies);
});

it("a host that listens to a body too keeps what it was given", async () => {
  const body = bodyOf("D");
  const ask = () =>
    fetch(`http://127.0.0.1:${portOf(host)}/api/chatstyle/v1/chat/completions`, {
      method: "POST",
      headers: { "x-api-key": KEY, "content-type": "application/json" },
      body,
    });
  // The gateway listens in time for every byte once it knows the key.
  listens = false;
  await (await ask()).text();
  listens = true;
  seen = [];
  expect((await ask()).status).toBe(200);
  expect(arrived.splice(0)).toEqual([body, body]);
  expect(Buffer.concat(seen).toString()).toBe(body);
});
