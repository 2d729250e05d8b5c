import { type AnyCodec, codecs, writeChunk } from "@manifold-gateway/core";
import { type Json, run } from "@manifold-gateway/core/codec";
import { type Choice, fold } from "@manifold-gateway/core/ir";
import { type FoldedReply, openReply, ReplyFold } from "@manifold-gateway/core/reply";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodies, every, head, rows, streams } from "./fixtures.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A reply as it is folded: without what only its own wire reads. */
const plain = (chunks: readonly Json[], codec: AnyCodec): Choice[] =>
  fold(run(codec.reply.decode(), chunks)).choices.map(({ parts, ...choice }) => ({
    ...choice,
    parts: parts.map((part) => {
      if (part.type === "opaque") return part;
      const { extra: _, seal: _s, logprobs: _l, ...rest } = { seal: 0, logprobs: 0, ...part };
      return rest as typeof part;
    }),
  }));

/** What is folded of bytes that arrive in these pieces. */
function folded(codec: AnyCodec, bytes: Uint8Array, { cuts = [], unary = false, most = 1e9 }: Options) {
  const reply = new ReplyFold(codec, { most, unary });
  const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
  for (const [index, end] of at.slice(1).entries()) reply.push(bytes.subarray(at[index], end));
  return reply.end();
}

/** What is folded of the events of the same reply, on its way to a caller whose protocol has words for every end. */
function watched(codec: AnyCodec, bytes: Uint8Array, unary: boolean) {
  const fold = new ReplyFold(codec, { most: 1e9, unary });
  const caller = codec.protocol === "genstyle" ? codecs.conversestyle : codecs.genstyle;
  const plan = { caller, upstream: codec, translated: true };
  const reply = openReply(plan, head, { watch: (events) => fold.add(events) });
  if (unary) reply.whole(200, {}, bytes);
  else {
    reply.push(bytes);
    reply.finish();
  }
  return fold.end();
}

interface Options {
  cuts?: number[];
  unary?: boolean;
  most?: number;
}

/** The characters of the texts of a reply. */
const lengthOf = ({ choices }: FoldedReply): number => {
  const texts = choices.flatMap(({ parts }) =>
    parts.map((part) => (part.type === "call" ? part.arguments : "text" in part ? part.text : "")),
  );
  return texts.join("").length;
};

describe("a folded reply", () => {
  test.each([
    ...rows(streams).map(([name, { codec, value }]) => ({ name, codec, chunks: value })),
    ...rows(bodies).map(([name, { codec, value }]) => {
      const chunks = codec.reply.burst(value);
      return { name, codec, chunks, body: JSON.stringify(value) };
    }),
  ])("$name is the fold of its events, however its bytes are cut, and no longer than allowed", (one) => {
    const { codec, chunks, body } = { body: undefined, ...one };
    const text = body ?? chunks.map((chunk) => writeChunk(chunk, codec)).join("");
    const options = { unary: body !== undefined };
    const bytes = encode(text);
    const choices = plain(chunks, codec);
    expect(watched(codec, bytes, options.unary)).toEqual(folded(codec, bytes, options));
    const cut = /base64/.test(JSON.stringify(choices));
    fc.assert(
      fc.property(
        fc.array(fc.nat(bytes.length), { maxLength: 4 }),
        fc.nat(JSON.stringify(choices).length),
        (cuts, most) => {
          const whole = folded(codec, bytes, { ...options, cuts });
          if (!cut) expect(whole).toEqual(choices.length > 0 ? { choices } : undefined);
          const short = folded(codec, bytes, { ...options, cuts, most });
          if (!whole || !short) return;
          expect(lengthOf(short)).toBeLessThanOrEqual(most);
          if (short.truncated === undefined) expect(short).toEqual(whole);
        },
      ),
      { numRuns: 5 },
    );
  });

  test("ends where something is no reply, without an error", () => {
    for (const codec of every)
      for (const unary of [true, false])
        for (const text of ["", "<html></html>", "data: {\n\n", "null", '"text"', `[${"[".repeat(50_000)}`])
          expect(folded(codec, encode(text), { unary }) ?? { choices: [] }).toMatchObject({ choices: [] });
  });
});
