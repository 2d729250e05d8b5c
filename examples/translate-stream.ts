/**
 * A stream of the messages protocol becomes the streams of two other protocols while it arrives. The bytes come in
 * pieces of seven, so that every frame and a character are cut somewhere; what goes out is framed as the official
 * clients of each protocol expect it. A stream that is cut short becomes a failure, not an answer.
 */
import assert from "node:assert/strict";
import {
  type AnyCodec,
  codecs,
  msgstyle,
  observe,
  readChunk,
  readFrames,
  responses,
  TranslatedReply,
  writeChunk,
} from "@manifold-gateway/core";
import { type Json, run, truncated } from "@manifold-gateway/core/codec";
import { fold } from "@manifold-gateway/core/ir";

const chunks: Json[] = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "some-model",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 8, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Grüße, " } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Welt 🌍" } },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 4 },
  },
  { type: "message_stop" },
];
const sent = new TextEncoder().encode(chunks.map((chunk) => writeChunk(chunk, msgstyle)).join(""));

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

/** The text of a stream of `to`, piece by piece. */
function* relay(bytes: Iterable<Uint8Array>, to: AnyCodec): Generator<string> {
  const reply = new TranslatedReply(msgstyle, to, { id: "1", model: "some-model", created: 1_700_000_000 });
  for (const some of bytes) yield reply.push(some);
  try {
    yield reply.finish();
  } catch {
    // The stream was cut in the middle of an event.
    yield reply.finish(truncated.message);
  }
}

/** What a client of `from` reads. */
const read = (text: string, from: AnyCodec) =>
  fold(run(from.reply.decode(), run(readFrames(), [new TextEncoder().encode(text)]).map(readChunk)));

for (const to of [codecs.chatstyle, codecs.responses]) {
  const text = [...relay(pieces(sent), to)].join("");
  console.log(`--- ${to.protocol}\n${text}`);
  const reply = read(text, to);
  assert.deepEqual(reply.choices[0]?.parts, [{ type: "text", text: "Grüße, Welt 🌍" }]);
  assert.equal(reply.choices[0]?.finish?.reason, "stop");
  assert.equal(reply.usage?.output, 4);
}
const named = [...relay([sent], responses)];
assert.match(named[0] ?? "", /^event: response\.created\ndata: /);

const cut = [...relay([sent.subarray(0, sent.length / 2)], codecs.chatstyle)].join("");
assert.equal(read(cut, codecs.chatstyle).failure?.message, truncated.message);

// Where both sides speak one protocol there is nothing to translate: the bytes pass, and are watched.
const seen = observe(msgstyle);
for (const frame of run(readFrames(), pieces(sent))) seen.chunk(frame.data);
assert.equal(seen.end().usage?.input, 8);
