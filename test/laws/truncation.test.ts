import { type AnyCodec, DONE } from "@manifold-gateway/core";
import { type Json, run } from "@manifold-gateway/core/codec";
import { type Event, fold, type Reply } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reply as anyReply, streamed } from "./arbitraries/replies.ts";
import { every, head, rows, streams } from "./fixtures.ts";
import { expectGrammar } from "./grammar.ts";

const quiet = (): void => {};
const isFinished = (reply: Reply): boolean =>
  reply.choices.length > 0 && reply.choices.every(({ finish }) => finish);
const content = (reply: Reply): unknown => reply.choices;

/** The chunks behind an end that are no ends: a wire may state a failure twice, as an error and as a failed reply. */
const afterEnd = (chunks: Json[], { frame }: AnyCodec): Json[] => {
  const last = chunks.findIndex((chunk) => frame.last(chunk));
  return last < 0 ? [] : chunks.slice(last).filter((chunk) => !frame.last(chunk));
};

describe("cut streams", () => {
  test.each(rows(streams))(
    "a stream that is cut fails, or was finished already: %s",
    (_, { codec, value }) => {
      const whole = fold(run(codec.reply.decode(), value));
      value.forEach((_chunk, length) => {
        const events = run(codec.reply.decode(), value.slice(0, length));
        expectGrammar(events);
        const reply = fold(events);
        if (reply.failure) return;
        expect(isFinished(reply), `cut after ${length} chunks`).toBe(true);
        expect(content(reply)).toEqual(content(whole));
      });
    },
  );
});

describe("failures in the middle of a reply", () => {
  const cases = rows(streams).flatMap(([name, stream]) =>
    every.map((to) => [name, to.protocol, stream, to] as const),
  );
  test.each(cases)(
    "a failure never reaches a client as a finished reply: %s to %s",
    (_, _to, { codec, value }, to) => {
      value.forEach((_chunk, length) => {
        const events: Event[] = run(codec.reply.decode(), value.slice(0, length));
        const failed = events.some((event) => event.type === "failure");
        const chunks = JSON.parse(JSON.stringify(run(to.reply.encode(head, quiet), events))) as Json[];
        const reply = fold(run(to.reply.decode(), chunks));
        expect(reply.failure !== undefined, `cut after ${length} chunks`).toBe(failed);
        if (!failed) return;
        expect(chunks).not.toContain(DONE);
        expect(afterEnd(chunks, to)).toEqual([]);
        // The unary body of a failed reply is no body of a reply.
        expect(
          fold(run(to.reply.decode(), to.reply.burst(JSON.parse(JSON.stringify(to.reply.gather(chunks)))))),
        ).toHaveProperty("failure");
      });
    },
  );
});

describe("replies after a failure", () => {
  const failure: Event = { type: "failure", failure: { kind: "server", status: 500, message: "It broke." } };
  test.each(every.map((codec) => [codec.protocol, codec] as const))(
    "nothing is written after a failure, whatever comes: %s",
    (_, codec) => {
      fc.assert(
        fc.property(anyReply.chain(streamed), fc.nat(), (events, at) => {
          const place = at % (events.length + 1);
          const broken = [...events.slice(0, place), failure, ...events.slice(place)];
          const chunks = JSON.parse(JSON.stringify(run(codec.reply.encode(head, quiet), broken))) as Json[];
          expect(chunks).not.toContain(DONE);
          expect(chunks.some((chunk) => codec.frame.last(chunk))).toBe(true);
          expect(afterEnd(chunks, codec)).toEqual([]);
          expect(fold(run(codec.reply.decode(), chunks)).failure?.message).toBe("It broke.");
        }),
      );
    },
  );
});

test.each(every.map((codec) => [codec.protocol, codec] as const))(
  "%s reads an empty stream as a failure",
  (_, codec) => {
    expect(fold(run(codec.reply.decode(), []))).toHaveProperty("failure");
    expect(run(codec.reply.encode(head, quiet), [])).not.toContain(DONE);
  },
);
