import { type AnyCodec, TranslatedReply, writeChunk } from "@manifold-gateway/core";
import { isRaw, type Json, run } from "@manifold-gateway/core/codec";
import { type Event, fold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ignoreLosses } from "../../packages/core/src/ir/loss.ts";
import { head, pairs } from "./fixtures.ts";

/** Text with characters of one and of two units, in deltas that are cut between any two units. */
const cutText = fc
  .tuple(
    fc.array(fc.constantFrom("a", "é", "🌍", "😀", "𝒳"), { minLength: 1, maxLength: 6 }),
    fc.array(fc.nat(12), { maxLength: 5 }),
  )
  .map(([characters, cuts]) => {
    const text = characters.join("");
    const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
    return places.slice(1).map((end, i) => text.slice(places[i], end));
  });

const deltas = (index: number, texts: string[]): Event[] =>
  texts.map((text) => ({ type: "delta", index, text }));

/** A reply of a thought, a text and a call, each in pieces. */
const reply = fc
  .tuple(cutText, cutText, cutText)
  .map(([thought, text, argument]): Event[] => [
    { type: "start", id: "r", model: "m", created: 1 },
    { type: "open", index: 0, part: { type: "reasoning" } },
    ...deltas(0, thought),
    { type: "close", index: 0 },
    { type: "open", index: 1, part: { type: "text" } },
    ...deltas(1, text),
    { type: "close", index: 1 },
    { type: "open", index: 2, part: { type: "call", id: "c1", name: "f" } },
    ...deltas(2, ['{"city":"', ...argument, '"}']),
    { type: "close", index: 2 },
    { type: "usage", usage: { input: 1, output: 1 } },
    { type: "finish", reason: "tool_calls" },
  ]);

/** The texts in a stream of events, each as a strict reader has to read it by itself. */
function* textsIn(json: Json): Generator<string> {
  if (typeof json === "string") yield json;
  else if (typeof json === "object" && json !== null && !isRaw(json))
    for (const inner of Object.values(json)) yield* textsIn(inner as Json);
}
const chunksIn = (stream: string): Json[] =>
  [...stream.matchAll(/^data: (.*)$/gm)].flatMap(([, data]) =>
    data === "[DONE]" ? [] : [JSON.parse(data as string) as Json],
  );

/** What a caller of `to` gets of chunks that a provider of `from` sent. */
function translate(chunks: Json[], from: AnyCodec, to: AnyCodec): string {
  const translated = new TranslatedReply(from, to, head);
  const sent = chunks.map((chunk) => translated.push(new TextEncoder().encode(writeChunk(chunk, from))));
  return sent.join("") + translated.finish();
}

describe("characters that a provider cuts in two", () => {
  test.each(pairs)("are whole in every event, and none is lost: %s to %s", (_, _to, from, to) => {
    fc.assert(
      fc.property(reply, (events) => {
        const written = run(from.reply.encode(head, ignoreLosses), events) as Json[];
        const chunks = chunksIn(translate(written, from, to));
        for (const text of chunks.flatMap((chunk) => [...textsIn(chunk)]))
          expect(text.isWellFormed()).toBe(true);
        const texts = ({ parts }: ReturnType<typeof fold>["choices"][number]) =>
          parts.flatMap((part) =>
            part.type === "text"
              ? [part.text]
              : part.type === "call"
                ? [JSON.parse(part.arguments || "{}")]
                : [],
          );
        const read = (list: Json[], codec: AnyCodec) =>
          fold(run(codec.reply.decode(), list)).choices.flatMap(texts);
        expect(read(chunks, to)).toEqual(read(written, from));
      }),
      { numRuns: 20 },
    );
  });

  test.each(pairs)(
    "are marked as unreadable where the other half never comes: %s to %s",
    (_, _to, from, to) => {
      const half: Event[] = [
        { type: "start", id: "r", model: "m", created: 1 },
        { type: "open", index: 0, part: { type: "text" } },
        ...deltas(0, ["ok \ud83d"]),
        { type: "close", index: 0 },
        { type: "finish", reason: "stop" },
      ];
      const written = run(from.reply.encode(head, ignoreLosses), half) as Json[];
      const stream = translate(written, from, to);
      expect(stream).toContain("ok ");
      expect(stream).toContain("\ufffd");
      for (const text of chunksIn(stream).flatMap((chunk) => [...textsIn(chunk)]))
        expect(text.isWellFormed()).toBe(true);
    },
  );
});
