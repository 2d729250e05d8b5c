import { readdirSync, readFileSync } from "node:fs";
import Anthropic from "@anthropic-ai/sdk";
import { writeFrame } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import { expect, test } from "vitest";
import { run } from "../../../packages/core/src/codec/machine.ts";
import { fold } from "../../../packages/core/src/ir/fold.ts";
import {
  type MessagesBody,
  type MessagesChunk,
  msgstyle,
} from "../../../packages/core/src/protocols/msgstyle/index.ts";
import { text } from "./msgstyle-kit.ts";

const { reply, failure } = msgstyle;
const head = { id: "x1", model: "m-1", created: 1 };

/** What the encoders write is what the official client declares. */
type SdkChunk = Anthropic.Messages.RawMessageStreamEvent;
type Spoken = Exclude<MessagesChunk, { type: "error" }>;
const asSdk = (chunk: Spoken): SdkChunk => chunk;
const asMessage = (body: MessagesBody): Anthropic.Messages.Message => body;

const read = (...chunks: Json[]): Event[] => run(reply.decode(), chunks);
const begun: JsonObject = {
  type: "message_start",
  message: { id: "msg_1", usage: { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 1 } },
};
const ended = (stop: string, usage: JsonObject = { output_tokens: 5 }): JsonObject => ({
  type: "message_delta",
  delta: { stop_reason: stop, stop_sequence: null },
  usage,
});

test("usage is cumulative and inclusive, and a late zero of the input side is no count", () => {
  const events = read(
    begun,
    ended("end_turn", { input_tokens: 0, cache_read_input_tokens: null, output_tokens: 5 }),
    { type: "message_stop" },
  );
  expect(events.filter(({ type }) => type === "usage").at(-1)).toEqual({
    type: "usage",
    usage: { input: 13, output: 5, cacheRead: 4 },
  });
  expect(
    read({ type: "message_start", message: { usage: { input_tokens: -1, output_tokens: 1e12 } } }),
  ).toEqual([{ type: "start" }, expect.objectContaining({ type: "failure" })]);
});

test.each<[string, Json[], JsonObject]>([
  [
    "calls decide what the end of a turn is",
    [
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "a", name: "f", input: {} },
      },
      { type: "content_block_stop", index: 0 },
      ended("end_turn"),
    ],
    { reason: "tool_calls" },
  ],
  [
    "calls of the server do not",
    [
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "server_tool_use", id: "a", name: "web_search", input: {} },
      },
      { type: "content_block_stop", index: 0 },
      ended("end_turn"),
    ],
    { reason: "stop" },
  ],
  [
    "a cut beats calls",
    [
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "a", name: "f", input: {} },
      },
      ended("max_tokens"),
    ],
    { reason: "length" },
  ],
  ["no reason but an end", [{ type: "message_stop" }], { reason: "stop" }],
  ["an unknown reason", [ended("bored")], { reason: "other", raw: "bored" }],
])("the finish is read: %s", (_, chunks, finish) => {
  expect(read(begun, ...chunks).filter(({ type }) => type === "finish")).toEqual([
    expect.objectContaining(finish),
  ]);
  expect(fold(read(begun, ...chunks)).failure).toBeUndefined();
});

test("a reply that stops without an end failed, once", () => {
  expect(read(begun).filter(({ type }) => type === "failure")).toHaveLength(1);
  expect(read(begun, { error: "gone" }).filter(({ type }) => type === "failure")).toEqual([
    { type: "failure", failure: expect.objectContaining({ kind: "server", status: 500, message: "gone" }) },
  ]);
  expect(
    read(
      begun,
      { type: "error", error: { type: "rate_limit_error", message: "slow down" } },
      ended("end_turn"),
    ).at(-1),
  ).toMatchObject({
    failure: { kind: "rate_limit", status: 429, message: "slow down", code: "rate_limit_error" },
  });
});

test.each([[{}], [{ id: "msg_1", type: "message", role: "assistant" }]])(
  "a body without content is no message: %j",
  (body) => {
    expect(read(...reply.burst(body)).filter(({ type }) => type !== "failure")).toEqual([]);
  },
);

test("mistyped chunks are read as far as possible", () => {
  const odd: Json[] = [
    null,
    1,
    "[DONE]",
    [],
    {},
    { type: 7 },
    { type: "content_block_delta" },
    { type: "content_block_start", content_block: "x" },
    { type: "content_block_delta", delta: { type: "text_delta", text: 3 } },
    { type: "message_delta", delta: [], usage: "many" },
    { type: "content_block_stop" },
  ];
  expect(() => fold(read(...odd))).not.toThrow();
  expect(() => reply.gather(odd as never)).not.toThrow();
  for (const body of odd) expect(() => read(...reply.burst(body))).not.toThrow();
  expect(
    fold(read({ type: "content_block_delta", index: 2, delta: { type: "text_delta", text: "lost start" } }))
      .choices[0]?.parts,
  ).toEqual([text("lost start")]);
});

test.each<[number, Json | undefined, JsonObject]>([
  [
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    { kind: "overloaded", status: 529, message: "Overloaded", code: "overloaded_error" },
  ],
  [500, { type: "error", error: { type: "api_error", message: "Oops" } }, { kind: "server", status: 500 }],
  [
    404,
    { error: { message: "no model", type: "not_found_error" } },
    { kind: "not_found", message: "no model" },
  ],
  [400, { error: "plain" }, { kind: "invalid", message: "plain" }],
  [400, [{ message: "listed" }], { message: "listed" }],
  [422, { detail: "detailed" }, { kind: "invalid", status: 422, message: "detailed" }],
  [502, "<html>bad gateway</html>", { kind: "unavailable", message: "<html>bad gateway</html>" }],
  [503, undefined, { kind: "unavailable", status: 503, message: "The provider returned status 503." }],
])("a failure of %i is read", (status, body, expected) => {
  const decoded = failure.decode(status, body);
  expect(decoded).toMatchObject(expected);
  const encoded = failure.encode({ ...decoded, raw: undefined as never });
  expect(encoded.status).toBe(status);
  expect(failure.decode(encoded.status, encoded.body)).toMatchObject({
    kind: decoded.kind,
    message: decoded.message,
  });
});

test("an error of this wire is passed on as it was", () => {
  const body = {
    type: "error",
    error: { type: "invalid_request_error", message: "x", details: { n: 1 } },
    request_id: "r",
  };
  expect(failure.encode(failure.decode(400, body)).body).toEqual(body);
});

const bodies = new URL("../../../packages/testing/fixtures/msgstyle/bodies/", import.meta.url);
const replies = readdirSync(bodies).map((name): [string, Json] => [
  name,
  JSON.parse(readFileSync(new URL(name, bodies), "utf8")),
]);

test.each(replies)("the official client reads what is written of %s", async (_, body) => {
  const chunks = run(
    reply.encode(head, () => {}),
    read(...reply.burst(body)),
  );
  const frames = chunks.map((chunk) =>
    writeFrame(JSON.stringify(asSdk(chunk as Spoken)), msgstyle.frame.event?.(chunk)),
  );
  const client = new Anthropic({
    apiKey: "k",
    fetch: async () => new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } }),
  });
  const stream = client.messages.stream({
    model: "m",
    max_tokens: 1,
    messages: [{ role: "user", content: "hi" }],
  });
  const message = await stream.finalMessage();
  const gathered = asMessage(reply.gather(chunks));
  const { content, stop_reason, stop_sequence } = message;
  expect({ content, stop_reason, stop_sequence }).toEqual({
    content: gathered.content.map((block) =>
      // Arguments that broke off are shown by the client as far as they go.
      block.type === "tool_use" && "$manifold_raw" in (block.input as JsonObject)
        ? { ...block, input: expect.anything() }
        : block,
    ),
    stop_reason: gathered.stop_reason,
    stop_sequence: gathered.stop_sequence,
  });
  expect(message.usage.input_tokens).toBe(gathered.usage.input_tokens);
  expect(message.usage.output_tokens).toBe(gathered.usage.output_tokens);
});
