import { type AnyCodec, chunkReader, codecs, collectLosses, parseWire } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reply, streamed } from "./arbitraries/replies.ts";
import { every, head, rows, streams } from "./fixtures.ts";

/** The text of each chunk of a reply, with the name it is framed with, and what was lost. */
function written(codec: AnyCodec, events: readonly Event[], byWords: boolean): unknown {
  const { losses, lose } = collectLosses();
  const writer = codec.reply.encode(head, lose);
  const framed = (chunks: Json[]) =>
    chunks.map((chunk) => ({ json: JSON.stringify(chunk), event: codec.frame.event?.(chunk) }));
  const chunks = events.flatMap((event) => {
    const words = byWords && event.type === "delta" ? writer.words?.(event) : undefined;
    return words ? [{ json: words.json, event: words.event }] : framed(writer.step(event));
  });
  return { chunks: [...chunks, ...framed(writer.end())], losses };
}

describe("deltas written as words", () => {
  test.each(every.map((codec) => [codec.protocol, codec] as const))(
    "a delta written as words gives the same chunk as its event: %s",
    (_, codec) => {
      fc.assert(
        fc.property(reply.chain(streamed), (events) => {
          expect(written(codec, events, true)).toEqual(written(codec, events, false));
        }),
      );
    },
  );
  test.each(["chatstyle", "msgstyle"] as const)("%s can write deltas as words", (protocol) => {
    const { words } = codecs[protocol].reply.encode(head, () => {});
    expect(words).toBeDefined();
  });
});

describe("chunks that repeat", () => {
  test.each(rows(streams))("a chunk is read the same, whatever came before it: %s", (_, { codec, value }) => {
    const read = chunkReader(codec);
    for (const text of value.map((chunk) => JSON.stringify(chunk)))
      for (let times = 0; times < 2; times++) expect(read(text)).toEqual(parseWire(text));
  });

  /** What a string may hold in JSON text, also what may not stand there. */
  const words = fc
    .array(
      fc.constantFrom(
        "a",
        "é",
        '"',
        '\\"',
        "\\",
        "\\n",
        "\n",
        '","text":"',
        '"}',
        "\\u0000words",
        "1".repeat(20),
      ),
    )
    .map((pieces) => pieces.join(""));
  const around = fc.constantFrom(
    ['{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"', '"}}'],
    ['{"index":0, "delta": {"text" : "', '", "type":"text_delta"} }'],
    ['{"text":"a","text":"', '"}'],
    ['{"text":"', '","text":"a"}'],
    ['{"text":"', '","te\\u0078t":"a"}'],
    ['{"input":{"id":12345678901234567890},"text":"', '"}'],
    ['{"__proto__":{"text":"', '"}}'],
    ['[{"text":"', '"},{"text":"b"}]'],
  );
  const chunk = fc.tuple(around, words).map(([[before, after], said]) => before + said + after);
  test("a made-up chunk is read the same, whatever came before it", () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 12 }), (texts) => {
        const read = chunkReader(codecs.msgstyle);
        const asText = (value: Json | undefined) => JSON.stringify(value);
        for (const text of texts) expect(asText(read(text))).toBe(asText(parseWire(text)));
      }),
      { numRuns: 1_000 },
    );
  });
});
