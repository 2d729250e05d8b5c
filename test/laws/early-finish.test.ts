import { type AnyCodec, codecs, parseWire } from "@manifold-gateway/core";
import { type Json, run } from "@manifold-gateway/core/codec";
import { type Event, fold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { expect, test } from "vitest";
import { reply as anyReply, streamed } from "./arbitraries/replies.ts";
import { head } from "./fixtures.ts";
import { expectGrammar } from "./grammar.ts";

const quiet = (): void => {};
/** The chunk that ends a reply of the responses wire holds the whole of it, so nothing follows. */
const { responses: _, ...others } = codecs;
const rows = Object.entries(others as Record<string, AnyCodec>);

/** The chunks of a reply, of which the one that says why it ends comes after `at` others. */
function endingEarly(codec: AnyCodec, events: readonly Event[], at: number): Json[] {
  const writer = codec.reply.encode(head, quiet);
  const chunks = events.flatMap((event) => writer.step(event));
  const [ending, ...rest] = writer.end();
  const place = 1 + (at % chunks.length);
  const moved = [...chunks.slice(0, place), ending, ...chunks.slice(place), ...rest];
  return parseWire(JSON.stringify(moved)) as Json[];
}

test.each(rows)("what follows the reason of a finish is part of the reply: %s", (_, codec) => {
  fc.assert(
    fc.property(anyReply.chain(streamed), fc.nat(), (events, at) => {
      const whole = fold(
        run(
          codec.reply.decode(),
          parseWire(JSON.stringify(run(codec.reply.encode(head, quiet), events))) as Json[],
        ),
      );
      const early = run(codec.reply.decode(), endingEarly(codec, events, at));
      expectGrammar(early);
      expect(fold(early)).toEqual(whole);
    }),
  );
});
