import { type AnyCodec, collectLosses, type Loss, parseWire, translateBody } from "@manifold-gateway/core";
import { type Json, parseArguments, run, SEAL_MARK, translateChunks } from "@manifold-gateway/core/codec";
import { type Event, fold, type Reply, unfold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reply as anyReply, replyOf, streamed } from "./arbitraries/replies.ts";
import { compareReplies } from "./compare.replies.ts";
import { untold } from "./facts.ts";
import { bodies, every, type Fixture, head, of, pairs, rows, streams, title } from "./fixtures.ts";
import { expectGrammar } from "./grammar.ts";

const codecs = every.map((codec) => [codec.protocol, codec] as const);
const clone = <T>(value: T): T => parseWire(JSON.stringify(value)) as T;

const read = (codec: AnyCodec, chunks: Iterable<Json>): Reply => fold(run(codec.reply.decode(), chunks));

/** The chunks that a reply is in the protocol, and what could not be said in it. */
function write(codec: AnyCodec, events: Iterable<Event>): { chunks: Json[]; losses: Loss[] } {
  const { losses, lose } = collectLosses();
  return { chunks: clone(run(codec.reply.encode(head, lose), events)), losses };
}

/** A reply without what every writer says for itself. */
const ours = ({ id: _, model: _m, created: _c, ...reply }: Reply): Reply => reply;

describe("bodies and their chunks", () => {
  test.each(rows(bodies))("a body is what its chunks gather to: %s", (_, { codec, value }) => {
    expect(clone(codec.reply.gather(codec.reply.burst(value)))).toEqual(value);
  });
});

describe("streamed and unary replies", () => {
  const twins = streams.flatMap((stream) => {
    const body = of(bodies, stream.codec).find(({ name }) => name === stream.name);
    return body ? [[title(stream), stream, body] as [string, Fixture<Json[]>, typeof body]] : [];
  });
  test.each(twins)("a streamed reply is the unary one: %s", (_, { codec, value }, body) => {
    const reply = (read: Reply): Reply => ours(read);
    expect(reply(read(codec, value))).toEqual(reply(read(codec, codec.reply.burst(body.value))));
  });

  test.each(rows(streams))("%s gathers to the body with the same content", (_, { codec, value }) => {
    const reply = read(codec, value);
    if (reply.failure) return;
    const { chunks } = write(codec, unfold(reply));
    const unary = clone(codec.reply.gather(chunks)) as Json;
    expect(spoken(read(codec, codec.reply.burst(unary)))).toEqual(spoken(read(codec, chunks)));
  });
});

/** What a reply says by kind: a unary body of some wires has no order among kinds. */
function spoken(reply: Reply): unknown {
  return {
    usage: reply.usage,
    choices: reply.choices.map(({ parts, finish }) => ({
      finish,
      text: parts.map((part) => (part.type === "text" && !part.refusal ? part.text : "")).join(""),
      refusal: parts.map((part) => (part.type === "text" && part.refusal ? part.text : "")).join(""),
      calls: parts.flatMap((part) =>
        part.type === "call"
          ? [{ ...part, arguments: parseArguments(part.arguments) ?? part.arguments }]
          : [],
      ),
      others: (["reasoning", "media"] as const).map((kind) => parts.filter((part) => part.type === kind)),
    })),
  };
}

describe("unfolded replies", () => {
  test.each(rows(streams))("a reply is what it unfolds to: %s", (_, { codec, value }) => {
    const reply = read(codec, value);
    expect(fold(unfold(reply))).toEqual(reply);
  });
  test("any reply is what it unfolds to", () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        const once = fold(unfold(reply));
        expect(once).toEqual(reply);
        expect(fold(unfold(once))).toEqual(once);
      }),
    );
  });
  test("any reply is what it unfolds to in whatever pieces", () => {
    fc.assert(
      fc.property(
        anyReply.chain((reply) => fc.tuple(fc.constant(reply), streamed(reply))),
        ([reply, events]) => {
          expect(fold(events)).toEqual(reply);
        },
      ),
    );
  });
});

describe("the grammar of events", () => {
  test.each(rows(streams))("events of a stream keep their grammar: %s", (_, { codec, value }) => {
    expectGrammar(run(codec.reply.decode(), value));
  });
  test.each(rows(bodies))("events of a body keep their grammar: %s", (_, { codec, value }) => {
    expectGrammar(run(codec.reply.decode(), codec.reply.burst(value)));
  });
});

describe("replies in the same protocol", () => {
  test.each(
    rows([...streams, ...bodies.map((body) => ({ ...body, value: body.codec.reply.burst(body.value) }))]),
  )("the same protocol reads back the reply that it wrote: %s", (_, { codec, value }) => {
    const reply = ours(read(codec, value));
    const { chunks, losses } = write(codec, unfold(reply));
    const arrived = ours(read(codec, chunks));
    // No wire counts in its errors.
    const counts = reply.failure && losses.every(({ path }) => path === "/usage");
    expect({
      untold: untold(compareReplies(reply, arrived, codec.protocol, losses), losses),
      losses: counts ? [] : losses,
    }).toEqual({
      untold: [],
      losses: [],
    });
    expectGrammar(run(codec.reply.decode(), chunks));
  });
});

describe("replies in another protocol", () => {
  const cases = pairs.flatMap(([, , from, to]) =>
    [
      ...of(streams, from),
      ...of(bodies, from).map((body) => ({ ...body, value: from.reply.burst(body.value) })),
    ].map((fixture) => [title(fixture), to.protocol, fixture, to] as const),
  );
  test.each(cases)(
    "what another protocol replies arrives, or a loss names it: %s to %s",
    (_, _to, { codec, value }, to) => {
      const events = run(codec.reply.decode(), value);
      const sent = fold(events);
      const { chunks, losses } = write(to, events);
      const arrived = read(to, chunks);
      expect({ untold: untold(compareReplies(sent, arrived, to.protocol, losses), losses), losses }).toEqual({
        untold: [],
        losses,
      });
      expectGrammar(run(to.reply.decode(), chunks));
    },
  );

  test.each(codecs)("any reply to %s arrives in whatever pieces, or a loss names it", (_, to) => {
    fc.assert(
      fc.property(
        anyReply.chain((reply) => fc.tuple(fc.constant(reply), streamed(reply))),
        ([sent, events]) => {
          const { chunks, losses } = write(to, events);
          const arrived = read(to, chunks);
          expect({
            untold: untold(compareReplies(sent, arrived, to.protocol, losses), losses),
            losses,
          }).toEqual({
            untold: [],
            losses,
          });
          expectGrammar(run(to.reply.decode(), chunks));
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each(pairs)("a unary body of %s to %s has the same content as the stream", (_, _to, from, to) => {
    for (const { value } of of(bodies, from)) {
      if (read(from, from.reply.burst(value)).failure) continue;
      const body = translateBody(value, { from, to, head }).body;
      const chunks = run(translateChunks({ from, to, head }), from.reply.burst(value));
      expect(spoken(read(to, to.reply.burst(clone(body))))).toEqual(spoken(read(to, chunks)));
    }
  });
});

describe("usage between protocols", () => {
  const total = ({ usage }: Reply): unknown => usage && [usage.input, usage.output];
  test.each(pairs)("usage is counted once from %s to %s", (_, _to, from, to) => {
    const replies = [
      ...of(streams, from).map(({ value }) => value),
      ...of(bodies, from).map(({ value }) => from.reply.burst(value)),
    ];
    for (const chunks of replies) {
      const reply = read(from, chunks);
      if (reply.failure || !reply.usage) continue;
      const there = write(to, run(from.reply.decode(), chunks)).chunks;
      expect(total(read(to, there))).toEqual(total(reply));
      const back = write(from, run(to.reply.decode(), there)).chunks;
      expect(total(read(from, back))).toEqual(total(reply));
      expect(total(read(to, to.reply.burst(clone(to.reply.gather(there)))))).toEqual(total(reply));
    }
  });

  test.each(codecs)("parts of any usage that %s may reply stay within their wholes", (_, codec) => {
    fc.assert(
      fc.property(replyOf(codec.protocol), (reply) => {
        const arrived = read(codec, write(codec, unfold(reply)).chunks);
        if (!reply.usage || !arrived.usage) return;
        const { input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = arrived.usage;
        expect([input, output]).toEqual([reply.usage.input, reply.usage.output]);
        expect(cacheRead + cacheWrite).toBeLessThanOrEqual(input);
        expect(reasoning).toBeLessThanOrEqual(output);
      }),
    );
  });
});

test("no wrapped seal is ever read as text", () => {
  for (const { codec, value } of streams)
    for (const to of every) {
      const arrived = read(to, write(to, run(codec.reply.decode(), value)).chunks);
      for (const part of arrived.choices.flatMap(({ parts }) => parts))
        if (part.type === "text" || part.type === "reasoning") expect(part.text).not.toContain(SEAL_MARK);
    }
});
