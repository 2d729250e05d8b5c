import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { defineProvider, type UpstreamProtocol } from "@manifold/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, model, PROTOCOLS, startHarness } from "./harness.ts";

const SECRET = "house-secret-0123456789";
const message = `Incorrect key: ${SECRET}`;

/** The beginning of a streamed reply, and the error that ends one. */
const chunks: Record<UpstreamProtocol, { content: object[]; failure: object }> = {
  chatstyle: {
    content: [
      { id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "Hi" } }] },
    ],
    failure: { error: { message, code: 401 } },
  },
  responses: {
    content: [
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { id: "i", type: "message", content: [] },
      },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "i", delta: "Hi" },
    ],
    failure: { type: "error", code: "invalid_api_key", message, param: null },
  },
  msgstyle: {
    content: [
      { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    ],
    failure: { type: "error", error: { type: "authentication_error", message } },
  },
  genstyle: {
    content: [{ candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }] }],
    failure: { error: { code: 401, message, status: "UNAUTHENTICATED" } },
  },
};

/** What upstream answers next. */
let answer = { type: "", text: "", status: 200 };
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(answer.status, { "content-type": answer.type }).end(answer.text);
});
let h: Harness;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  h = await startHarness({
    models: PROTOCOLS.map((protocol) => model(`on-${protocol}`, `of-${protocol}`)),
    providers: new Map(
      PROTOCOLS.map((protocol) => [
        `of-${protocol}`,
        defineProvider(`of-${protocol}`, { origin, speaks: [protocol], key: SECRET }),
      ]),
    ),
    routing: { circuit: { failures: 1_000 } },
  });
});
afterAll(async () => {
  await h.close();
  server.closeAllConnections();
  server.close();
});

const messages = [{ role: "user", content: "Hello" }];
const SURFACES: Record<string, (id: string, stream: boolean) => [path: string, body: object]> = {
  chatstyle: (model, stream) => ["/api/chatstyle/v1/chat/completions", { model, stream, messages }],
  responses: (model, stream) => ["/api/chatstyle/v1/responses", { model, stream, input: "Hello" }],
  msgstyle: (model, stream) => ["/api/msgstyle/v1/messages", { model, stream, max_tokens: 100, messages }],
  genstyle: (model, stream) => [
    `/api/genstyle/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    { contents: "Hello" },
  ],
};
const cells = Object.keys(SURFACES).flatMap((name) => PROTOCOLS.map((protocol) => ({ name, protocol })));

async function shown(name: string, protocol: UpstreamProtocol, stream: boolean): Promise<string> {
  const response = await h.call(...SURFACES[name]!(`on-${protocol}`, stream));
  const text = await response.text();
  expect(text).not.toContain(SECRET);
  if (name === protocol) expect(text).toContain("Incorrect key: [redacted]");
  await h.settled();
  return text;
}

const streamOf = (list: object[]) => list.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");

describe("a key that a provider repeats under a good status is not shown", () => {
  it.each(cells)("in a whole answer: $name on $protocol", async ({ name, protocol }) => {
    const failure = protocol === "responses" ? { error: { message, code: "401" } } : chunks[protocol].failure;
    answer = { status: 200, type: "application/json", text: JSON.stringify(failure) };
    const response = await h.call(...SURFACES[name]!(`on-${protocol}`, false));
    expect(await response.text()).not.toContain(SECRET);
    expect(response.status).toBeGreaterThanOrEqual(400);
  });

  it.each(cells)("at the start of a stream: $name on $protocol", async ({ name, protocol }) => {
    answer = { status: 200, type: "text/event-stream", text: streamOf([chunks[protocol].failure]) };
    await shown(name, protocol, true);
  });

  it.each(cells)("in the middle of a stream: $name on $protocol", async ({ name, protocol }) => {
    const { content, failure } = chunks[protocol];
    answer = { status: 200, type: "text/event-stream", text: streamOf([...content, failure]) };
    expect(await shown(name, protocol, true)).toContain("Hi");
  });

  it("where tokens are counted", async () => {
    const text = JSON.stringify(chunks.msgstyle.failure);
    answer = { status: 401, type: "application/json", text };
    const response = await h.call("/api/msgstyle/v1/messages/count_tokens", {
      model: "on-msgstyle",
      messages,
    });
    expect([response.status, await response.text()]).toEqual([401, text.replace(SECRET, "[redacted]")]);
  });
});
