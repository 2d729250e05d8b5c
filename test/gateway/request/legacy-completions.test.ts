import { createServer, type IncomingMessage } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, price } from "../../support/text.ts";

const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
const told = { id: "cmpl-1", object: "text_completion", created: 1, model: "native" };
const whole = { ...told, choices: [{ index: 0, text: " there was", finish_reason: "stop" }], usage };
const middle = {
  ...told,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "a + b" }, finish_reason: "stop" }],
  usage,
};
const chunks = [
  { ...told, choices: [{ index: 0, text: " there", finish_reason: null }] },
  { ...told, choices: [{ index: 0, text: " was", finish_reason: "stop" }] },
  { ...told, choices: [], usage },
];
const stream = `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;

let h: Stage;
let asked: { path: string | undefined; body: Record<string, unknown> };
const read = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const piece of request) text += piece;
  return text;
};
const server = createServer(async (request, response) => {
  asked = { path: request.url, body: JSON.parse(await read(request)) };
  const streamed = asked.body.stream === true;
  response.writeHead(200, { "content-type": streamed ? "text/event-stream" : "application/json" });
  response.end(streamed ? stream : JSON.stringify(request.url?.includes("/fim/") ? middle : whole, null, 1));
});
beforeAll(async () => {
  const { origin } = await listen(server);
  h = await startStage({
    models: [
      model("ours", "chat", {
        entries: [{ provider: "chat", name: "native", priority: 1, isActive: true, price }],
      }),
      model("other", "messages"),
    ],
    providers: new Map([
      ["chat", defineProvider("chat", { origin, speaks: ["chatstyle"] })],
      ["messages", defineProvider("messages", { origin, speaks: ["msgstyle"] })],
    ]),
  });
});
afterAll(async () => {
  await h.close();
  server.close();
});

const cost = 5 + 2 * 3;

it.each([
  ["completions", whole],
  ["fim/completions", middle],
])("legacy %s go on as they came, and are billed by their usage", async (path, answer) => {
  const before = (await h.balance()).balance;
  const body = { prompt: "Once", suffix: "the end.", max_tokens: 9, echo: false };
  const response = await h.call(`/api/chatstyle/v1/${path}`, { model: "ours", ...body });
  expect([response.status, await response.text()]).toEqual([200, JSON.stringify(answer, null, 1)]);
  expect(asked).toEqual({ path: `/v1/${path}`, body: { model: "native", ...body } });
  await h.settled();
  expect(before - (await h.balance()).balance).toBe(cost);
});

it("streams of legacy completions are relayed, asked for their usage, and billed by it", async () => {
  const before = (await h.balance()).balance;
  const response = await h.call("/api/chatstyle/v1/completions", {
    model: "ours",
    prompt: "Once",
    stream: true,
  });
  expect(await response.text()).toBe(stream);
  expect(asked.body.stream_options).toEqual({ include_usage: true });
  await h.settled();
  expect(before - (await h.balance()).balance).toBe(cost);
});

it("a model of another protocol refuses legacy completions at no cost", async () => {
  const before = await h.balance();
  const response = await h.call("/api/chatstyle/v1/completions", { model: "other", prompt: "Once" });
  expect([response.status, (await response.json()).errors]).toEqual([
    400,
    ["model: 'other' completes no texts; ask it in a chat."],
  ]);
  expect(await h.balance()).toEqual(before);
});
