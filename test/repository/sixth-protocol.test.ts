import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AnyCodec,
  codecs,
  collectLosses,
  type Loss,
  parseWire,
  translateBody,
} from "@manifold-gateway/core";
import { type Json, type JsonObject, run, truncated } from "@manifold-gateway/core/codec";
import { type Event, fold, type Reply, unfold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { blockstyle } from "../../examples/sixth-protocol/codec.ts";
import { reply as anyReply, streamed } from "../laws/arbitraries/replies.ts";
import { request as anyRequest } from "../laws/arbitraries/requests.ts";
import { compareReplies } from "../laws/compare.replies.ts";
import { compareRequests } from "../laws/compare.requests.ts";
import { untold } from "../laws/facts.ts";
import { head, readRequest } from "../laws/fixtures.ts";
import { expectGrammar } from "../laws/grammar.ts";
import { send } from "../laws/send.ts";

const codec = blockstyle as AnyCodec;
const root = join(import.meta.dirname, "../../examples/sixth-protocol/fixtures");
const load = <T>(folder: string, parse: (text: string) => T): [string, T][] =>
  readdirSync(join(root, folder)).map((file) => [
    file,
    parse(readFileSync(join(root, folder, file), "utf8")),
  ]);
const requests = load("requests", (text) => parseWire(text) as JsonObject);
const bodies = load("bodies", (text) => parseWire(text) as JsonObject);
const streams = load("streams", (text) =>
  text
    .trim()
    .split("\n")
    .map((line) => parseWire(line) as Json),
);
const others = Object.values(codecs).map((other) => [other.protocol, other as AnyCodec] as const);

const read = (from: AnyCodec, chunks: Iterable<Json>): Reply => fold(run(from.reply.decode(), chunks));
function write(to: AnyCodec, events: Iterable<Event>): { chunks: Json[]; losses: Loss[] } {
  const { losses, lose } = collectLosses();
  return { chunks: run(to.reply.encode(head, lose), events) as Json[], losses };
}

describe("the sixth protocol", () => {
  test.each(requests)("the sixth protocol reads back its request %s, and loses nothing", (_, wire) => {
    const { losses, lose } = collectLosses();
    expect(codec.request.schema.parse(wire)).toEqual(wire);
    expect(codec.request.encode(readRequest(codec, wire), lose)).toEqual({
      ...wire,
      stream: wire.stream ?? false,
    });
    expect(losses).toEqual([]);
  });

  test.each(bodies)("the sixth protocol gathers its chunks to the body %s", (_, body) => {
    expect(codec.reply.gather(codec.reply.burst(body) as JsonObject[])).toEqual(body);
  });

  test.each(streams)("the sixth protocol reads back its stream %s", (_, chunks) => {
    expectGrammar(run(codec.reply.decode(), chunks));
    const { id: _id, ...reply } = read(codec, chunks);
    const { losses, chunks: written } = write(codec, unfold(reply));
    const { id: _own, ...arrived } = read(codec, written);
    expect(arrived).toEqual(reply);
    expect(losses).toEqual([]);
  });

  it("the sixth protocol reads a stream as the body with the same content", () => {
    const [, body] = bodies.find(([name]) => name === "call.json") as [string, JsonObject];
    const [, chunks] = streams.find(([name]) => name === "call.jsonl") as [string, Json[]];
    expect(codec.reply.gather(chunks as JsonObject[])).toEqual(body);
    expect(read(codec, chunks)).toEqual(read(codec, codec.reply.burst(body)));
  });

  it("the sixth protocol reads a reply that breaks off as a failure", () => {
    const [, chunks] = streams.find(([name]) => name === "call.jsonl") as [string, Json[]];
    for (let length = 0; length < chunks.length; length++)
      expect(read(codec, chunks.slice(0, length)).failure).toEqual(truncated);
  });

  it("the sixth protocol reads any JSON without throwing", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (chunks) => {
        expectGrammar(run(codec.reply.decode(), chunks as Json[]));
        codec.reply.burst(chunks as Json);
        codec.failure.decode(500, chunks as Json);
      }),
    );
  });

  it("the sixth protocol reports every loss of a request", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { sent, arrived, losses } = send(request, codec, {});
        const missing = untold(compareRequests(sent, arrived, codec.protocol, losses), losses);
        expect({ missing, losses }).toEqual({ missing: [], losses });
      }),
      { numRuns: 300 },
    );
  });

  it("the sixth protocol reports every loss of a reply, in whatever pieces it comes", () => {
    fc.assert(
      fc.property(
        anyReply.chain((reply) => fc.tuple(fc.constant(reply), streamed(reply))),
        ([sent, events]) => {
          const { chunks, losses } = write(codec, events);
          const arrived = read(codec, chunks);
          const missing = untold(compareReplies(sent, arrived, codec.protocol, losses), losses);
          expect({ missing, losses }).toEqual({ missing: [], losses });
          expectGrammar(run(codec.reply.decode(), chunks));
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each(others)("the sixth protocol counts a reply for %s as for its own clients", (_, other) => {
    for (const [, body] of bodies) {
      const there = translateBody(body, { from: codec, to: other, head }).body as Json;
      expect(read(other, other.reply.burst(there)).usage).toEqual(
        expect.objectContaining({ input: read(codec, codec.reply.burst(body)).usage?.input }),
      );
      const back = translateBody(there, { from: other, to: codec, head }).body as JsonObject;
      expect(read(codec, codec.reply.burst(back)).choices[0]?.parts).toEqual(
        read(codec, codec.reply.burst(body)).choices[0]?.parts,
      );
    }
  });
});
