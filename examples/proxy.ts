/**
 * A proxy for a tool that speaks one vendor's protocol only, such as a coding agent: it sends everything to another
 * vendor's model, and writes a line of JSON for what that protocol cannot express, and for the tokens of each answer.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import Anthropic from "@anthropic-ai/sdk";
import { createHandler } from "@manifold-gateway/client";
import { simulate } from "./support/simulated.ts";

const { simulated } = simulate();

const lines: object[] = [];
const log = (line: object) => {
  lines.push(line);
  console.log(JSON.stringify(line));
};

const handler = createHandler({
  ...simulated,
  models: { "claude-opus-4-7": "openai/gpt-6-sol" },
  onLoss: ({ requestId, of, path, why, detail }) => log({ requestId, lost: path, of, why, detail }),
  onUsage: ({ requestId, provider, usage }) => log({ requestId, provider, ...usage }),
});

const toRequest = (message: IncomingMessage): Request =>
  new Request(`http://proxy${message.url}`, {
    method: message.method ?? "GET",
    headers: Object.entries(message.headers).flatMap(([name, value]) =>
      value ? [[name, String(value)]] : [],
    ),
    ...(message.method === "POST" && { body: Readable.toWeb(message) as ReadableStream, duplex: "half" }),
  });

const server = createServer(async (message, response) => {
  const { status, headers, body } = await handler(toRequest(message));
  response.writeHead(status, Object.fromEntries(headers));
  // A client that leaves breaks the pipeline, which ends the call to the provider.
  await pipeline(body ? Readable.fromWeb(body as never) : [], response).catch(() => response.destroy());
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

const { port } = server.address() as AddressInfo;
const client = new Anthropic({ baseURL: `http://127.0.0.1:${port}`, apiKey: "any" });
const { content } = await client.messages.create({
  model: "claude-opus-4-7",
  max_tokens: 4096,
  thinking: { type: "enabled", budget_tokens: 2048 }, // the other protocol has words for it, and no number
  messages: [{ role: "user", content: "Hello [[text:Good day]]" }],
});
assert.match(JSON.stringify(content), /"text":"Good day"/);
assert.ok(lines.some((line) => "lost" in line));
assert.ok(lines.some((line) => "output" in line));
server.close();
