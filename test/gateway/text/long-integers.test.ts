import { createServer } from "node:http";
import { parseArguments } from "@manifold-gateway/core/codec";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseBody } from "../../../packages/gateway/src/http/body.ts";
import { storable } from "../../../packages/gateway/src/http/storable-body.ts";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

const LONG = "1234567890123456789";
const ARGS = '{"id":1234567890123456789,"ids":[-9223372036854775808,18446744073709551615]}';
const args = parseArguments(ARGS);
const quoted = JSON.stringify(ARGS).slice(1, -1);

const speaking = ["chatstyle", "msgstyle", "genstyle"] as const;
type Name = (typeof speaking)[number];

/** What each provider answers, whole and as a stream. */
const answers: Record<Name, { body: unknown; chunks: [event: string, data: unknown][] }> = {
  chatstyle: {
    body: {
      id: "c",
      model: "m",
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: ARGS } }],
          },
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    },
    chunks: [
      [
        "",
        {
          id: "c",
          choices: [
            {
              index: 0,
              delta: {
                tool_calls: [
                  { index: 0, id: "call_1", type: "function", function: { name: "f", arguments: ARGS } },
                ],
              },
            },
          ],
        },
      ],
      ["", { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }],
    ],
  },
  msgstyle: {
    body: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "tool_use", id: "toolu_1", name: "f", input: args }],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 4 },
    },
    chunks: [
      ["message_start", { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 3 } } }],
      [
        "content_block_start",
        {
          type: "content_block_start",
          index: 0,
          content_block: { type: "tool_use", id: "toolu_1", name: "f", input: args },
        },
      ],
      ["content_block_stop", { type: "content_block_stop", index: 0 }],
      [
        "message_delta",
        { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 4 } },
      ],
      ["message_stop", { type: "message_stop" }],
    ],
  },
  genstyle: {
    body: {
      candidates: [
        { content: { role: "model", parts: [{ functionCall: { name: "f", args } }] }, finishReason: "STOP" },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
    },
    chunks: [
      [
        "",
        {
          candidates: [
            {
              content: { role: "model", parts: [{ functionCall: { name: "f", args } }] },
              finishReason: "STOP",
            },
          ],
        },
      ],
    ],
  },
};

/** A conversation with a call in it, as each surface is asked it. */
const asks: Record<Name, (id: string, stream: boolean) => [path: string, body: object]> = {
  chatstyle: (id, stream) => [
    "/api/chatstyle/v1/chat/completions",
    {
      model: id,
      stream,
      messages: [
        { role: "user", content: "Hello" },
        {
          role: "assistant",
          tool_calls: [{ id: "call_0", type: "function", function: { name: "f", arguments: ARGS } }],
        },
        { role: "tool", tool_call_id: "call_0", content: ARGS },
      ],
    },
  ],
  msgstyle: (id, stream) => [
    "/api/msgstyle/v1/messages",
    {
      model: id,
      stream,
      max_tokens: 100,
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: [{ type: "tool_use", id: "toolu_0", name: "f", input: args }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_0", content: ARGS }] },
      ],
    },
  ],
  genstyle: (id, stream) => [
    `/api/genstyle/v1beta/models/${id}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    {
      contents: [
        { role: "user", parts: [{ text: "Hello" }] },
        { role: "model", parts: [{ functionCall: { name: "f", args } }] },
        { role: "user", parts: [{ functionResponse: { name: "f", response: args } }] },
      ],
    },
  ],
};

let asked = "";
/** What stands for the id in an answer. */
let id = LONG;
let harness: Stage;
/** Answers as the provider that the model is named after, in the way that it is asked. */
const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    asked = Buffer.concat(pieces).toString();
    const url = request.url ?? "";
    const name: Name = url.includes("/messages")
      ? "msgstyle"
      : url.includes("enerateContent")
        ? "genstyle"
        : "chatstyle";
    const { body, chunks } = answers[name];
    const streams = /"stream":\s*true/.test(asked) || url.includes("streamGenerateContent");
    response.writeHead(200, { "content-type": streams ? "text/event-stream" : "application/json" });
    const frames = chunks.map(
      ([event, data]) => `${event && `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
    );
    const closing = name === "chatstyle" ? "data: [DONE]\n\n" : "";
    const said = streams ? frames.join("") + closing : JSON.stringify(body);
    response.end(said.replaceAll(LONG, id));
  });
});
beforeAll(async () => {
  const { origin } = await listen(server);
  harness = await startStage({
    models: speaking.map((name) => model(`on-${name}`, `of-${name}`)),
    providers: new Map(
      speaking.map((name) => [`of-${name}`, defineProvider(`of-${name}`, { origin, speaks: [name] })]),
    ),
  });
});
afterAll(async () => {
  await harness.close();
  server.closeAllConnections();
  server.close();
});

/** The text, said as a value or in a string, and nothing rounded beside it. */
const expectDigits = (wire: string): void => {
  expect(wire.includes(ARGS) || wire.includes(quoted), wire).toBe(true);
  expect(wire).not.toContain("1234567890123456800");
};

const cells = speaking.flatMap((surface) => speaking.map((provider) => [surface, provider] as const));
describe.each(cells)("long integers between a caller of %s and a provider of %s", (surface, provider) => {
  it.each([
    ["whole", false],
    ["streamed", true],
  ])("long integers keep every digit in both directions: %s", async (_, stream) => {
    const response = await harness.call(...asks[surface](`on-${provider}`, stream));
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expectDigits(asked);
    expectDigits(text);
    expect(response.headers.get("x-losses") ?? "").not.toContain("arguments");
  });
});

it("a body with media keeps the digits of long integers, and so does its record", () => {
  const data = "A".repeat(100_000);
  const text = `{"messages":[{"content":[{"type":"image","source":{"type":"base64","data":"${data}"}},{"type":"tool_use","input":${ARGS}}]}],"seed":1234567890123456789}`;
  const body = parseBody(Buffer.from(text), 1_000_000);
  expect(body.skeleton.largeStrings.length).toBe(1);
  expectDigits(JSON.stringify(body.value).replace(/"seed":\d+/, ""));
  expectDigits(JSON.stringify(storable(body)).replace(/"seed":\d+/, ""));
  expect(body.value.seed).toBe(Number("1234567890123456789"));
  expect(body.value.messages).toMatchObject([{ content: [{ source: { data } }, {}] }]);
});

it.each(["msgstyle", "genstyle"] as const)(
  "an answer of %s that is nested too deep is malformed",
  async (provider) => {
    id = `${"[".repeat(20_000)}${LONG}${"]".repeat(20_000)}`;
    try {
      for (const surface of speaking)
        for (const stream of [false, true]) {
          const response = await harness.call(...asks[surface](`on-${provider}`, stream));
          const text = await response.text();
          expect(response.status, text).toBe(502);
        }
    } finally {
      id = LONG;
    }
  },
);
