/**
 * How a codec is tested: a recorded stream is a fixture, one chunk a line, and a codec is a pure function of it,
 * so a test needs neither a server nor a clock. The tests below state what the stream adds up to, that bytes may
 * be cut anywhere, that a reply survives being written again, and that a stream cut short is no answer.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { chatstyle, DONE, ignoreLosses, readChunk, readFrames } from "@manifold-gateway/core";
import { type Json, run, truncated } from "@manifold-gateway/core/codec";
import { fold, type Reply, unfold } from "@manifold-gateway/core/ir";

const fixture = `
{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}
{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Grüße, "},"finish_reason":null}]}
{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Welt 🌍"},"finish_reason":null}]}
{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":4,"total_tokens":9}}
[DONE]`;
const lines = fixture.trim().split("\n");
const chunks = lines.map((line): Json => (line === DONE ? DONE : JSON.parse(line)));
// What the encoder writes is typed more closely than what the decoder takes: anything.
const read = (input: Iterable<unknown>): Reply =>
  fold(run(chatstyle.reply.decode(), input as Iterable<Json>));

test("a stream is what its chunks add up to", () => {
  const reply = read(chunks);
  assert.deepEqual(
    reply.choices.map((choice) => choice.parts),
    [[{ type: "text", text: "Grüße, Welt 🌍" }]],
  );
  assert.equal(reply.choices[0]?.finish?.reason, "stop");
  assert.equal(reply.usage?.input, 5);
  assert.equal(reply.usage?.output, 4);
});

test("bytes may be cut anywhere, inside a character too", () => {
  const bytes = new TextEncoder().encode(lines.map((line) => `data: ${line}\n\n`).join(""));
  const whole = read(chunks);
  for (let at = 0; at <= bytes.length; at++) {
    const frames = run(readFrames(), [bytes.subarray(0, at), bytes.subarray(at)]);
    assert.deepEqual(read(frames.map(readChunk)), whole);
  }
});

test("a reply that is written and read again is the same reply", () => {
  const reply = read(chunks);
  const head = { id: reply.id ?? "", model: reply.model ?? "", created: reply.created ?? 0 };
  const { choices, usage } = read(run(chatstyle.reply.encode(head, ignoreLosses), unfold(reply)));
  assert.deepEqual({ choices, usage }, { choices: reply.choices, usage: reply.usage });
});

test("a stream that was cut is a failure, whatever it said before", () => {
  assert.deepEqual(read(chunks.slice(0, 3)).failure, truncated);
  assert.equal(read(chunks).failure, undefined);
});
