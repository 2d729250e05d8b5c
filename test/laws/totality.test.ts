import { type AnyCodec, ignoreLosses, parseWire } from "@manifold-gateway/core";
import { type Json, type JsonObject, run } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodies, every, generous, head, of, requests, streams } from "./fixtures.ts";
import { expectGrammar } from "./grammar.ts";
import { mutation, odd, type Place, placesIn } from "./mutations.ts";

const codecs = every.map((codec) => [codec.protocol, codec] as const);
const decoded = (codec: AnyCodec, chunks: Json[]): void => {
  const events = run(codec.reply.decode(), chunks);
  expectGrammar(events);
  for (const to of every) run(to.reply.encode(head, ignoreLosses), events);
};

describe("hostile output of upstreams", () => {
  test.each(codecs)("%s reads malformed chunks without a throw", (_, codec) => {
    fc.assert(
      fc.property(mutation(of(streams, codec).map(({ value }) => value)), (stream) => {
        decoded(codec, Array.isArray(stream) ? stream : [stream]);
      }),
      { numRuns: 300 },
    );
  });
  test.each(codecs)("%s reads malformed bodies without a throw", (_, codec) => {
    fc.assert(
      fc.property(mutation(of(bodies, codec).map(({ value }) => value as Json)), (body) => {
        decoded(codec, codec.reply.burst(body));
        codec.reply.gather(codec.reply.burst(body));
      }),
      { numRuns: 300 },
    );
  });
  test.each(codecs)("%s reads garbage without a throw", (_, codec) => {
    fc.assert(
      fc.property(fc.array(odd), (chunks) => {
        decoded(codec, chunks);
        codec.reply.gather(chunks);
        for (const chunk of chunks) codec.frame.last(chunk);
      }),
      { numRuns: 200 },
    );
  });
  test.each(codecs)("%s reads errors of any kind without a throw", (_, codec) => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.option(odd, { nil: undefined }), (status, body) => {
        const failure = codec.failure.decode(status, body);
        expect(typeof failure.message).toBe("string");
        const there = codec.failure.encode(failure);
        expect(there.status).toBeGreaterThanOrEqual(400);
        expect(codec.failure.decode(there.status, there.body).message).toBe(failure.message);
      }),
      { numRuns: 200 },
    );
  });
});

/** Each copy of a value in which one of its strings is the name of something that every record has. */
function* renamed(value: Json): Generator<Json> {
  const strings = placesIn(value).filter((path) => typeof at(value, path) === "string" && path.length > 0);
  for (const path of strings) {
    const copy = parseWire(JSON.stringify(value)) as Json;
    (at(copy, path.slice(0, -1)) as Record<string, Json>)[path.at(-1) as string] = "constructor";
    yield copy;
  }
}

const at = (value: Json, path: Place): Json =>
  path.reduce<Json>((place, key) => (place as Record<string, Json>)[key] as Json, value);

/** Throws where a function found its way into what was read. */
const expectData = (value: unknown): void => {
  JSON.stringify(value, (_, held: unknown) => {
    if (typeof held === "function") throw new Error("a function");
    return held;
  });
};

describe("words that every record has as members", () => {
  test.each(codecs)("a word that every record has as a member is like any other: %s", (_, codec) => {
    for (const { value } of of(streams, codec))
      for (const chunks of renamed(value)) expectData(run(codec.reply.decode(), chunks as Json[]));
    for (const { value } of of(bodies, codec))
      for (const body of renamed(value as Json))
        expectData(run(codec.reply.decode(), codec.reply.burst(body)));
    for (const { value } of of(requests, codec))
      for (const wire of renamed(value as Json)) {
        const parsed = codec.request.schema.safeParse(wire);
        if (!parsed.success) continue;
        const request = codec.request.decode(parsed.data as JsonObject);
        expectData(request);
        for (const to of every) expectData(to.request.encode(request, ignoreLosses, generous));
      }
  });
});

describe("requests of any shape", () => {
  test.each(codecs)("a request is refused by its schema, or read: %s", (_, codec) => {
    let read = 0;
    fc.assert(
      fc.property(mutation(of(requests, codec).map(({ value }) => value as Json)), (wire) => {
        const parsed = codec.request.schema.safeParse(wire);
        if (!parsed.success) return;
        read += 1;
        const request = codec.request.decode(parsed.data as JsonObject);
        for (const to of every) to.request.encode(request, ignoreLosses, generous);
      }),
      { numRuns: 400 },
    );
    expect(read).toBeGreaterThan(0);
  });
});

describe("errors in every shape", () => {
  const cases = every.flatMap((from) => every.map((to) => [from.protocol, to.protocol, from, to] as const));
  test.each(cases)("an error keeps its kind and its words: %s to %s", (_, _to, from, to) => {
    for (const kind of [
      "invalid",
      "authentication",
      "permission",
      "not_found",
      "rate_limit",
      "server",
    ] as const) {
      const status = {
        invalid: 400,
        authentication: 401,
        permission: 403,
        not_found: 404,
        rate_limit: 429,
        server: 500,
      }[kind];
      const { body } = from.failure.encode({ kind, status, message: "What went wrong." });
      const there = to.failure.encode(from.failure.decode(status, body));
      const arrived = to.failure.decode(there.status, there.body);
      expect(arrived).toMatchObject({ kind, message: "What went wrong." });
      expect(there.status).toBe(status);
    }
  });
});
