import {
  type AnyCodec,
  codecs,
  DONE,
  observe,
  observeBody,
  type Protocol,
  type Usage,
} from "@manifold-gateway/core";
import { type Json, type JsonObject, run } from "@manifold-gateway/core/codec";
import { fold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wires } from "../../support/wires/index.ts";
import { placesOf, withFigure } from "./report-figures.ts";

const figures = Object.entries(wires).flatMap(
  ([
    protocol,
    {
      report: { full },
    },
  ]) =>
    placesOf(full).map((path) => ({
      protocol: protocol as Protocol,
      path,
      figure: path.join("/"),
    })),
);
const streamed = figures.filter(({ protocol }) => !wires[protocol].report.once);

/** JSON can say infinity, as a number that is too large. */
const INFINITE = "1e999";
const textOf = (json: Json): string => JSON.stringify(json, (_, value) => (value === Infinity ? "∞" : value));
const onWire = (json: Json): string => textOf(json).replaceAll('"∞"', INFINITE);

/** What is learned of a stream, by a watcher and by a reader of all of it: they agree. */
function ofStream(protocol: Protocol, chunks: Json[]): Usage | undefined {
  const codec = codecs[protocol] as AnyCodec;
  const watcher = observe(codec);
  for (const chunk of chunks) watcher.chunk(chunk === DONE ? chunk : onWire(chunk));
  const seen = watcher.end();
  expect(seen.finish?.reason).toBe("stop");
  expect(seen.content).toBeGreaterThan(0);
  expect(seen.usage).toEqual(fold(run(codec.reply.decode(), chunks)).usage);
  return seen.usage;
}

function ofBody(protocol: Protocol, body: Json): Usage | undefined {
  const codec = codecs[protocol] as AnyCodec;
  const seen = observeBody(codec, JSON.parse(onWire(body)) as Json);
  expect(seen.finish?.reason).toBe("stop");
  expect(seen.usage).toEqual(fold(run(codec.reply.decode(), codec.reply.burst(body))).usage);
  return seen.usage;
}

const MOST = 100_000_000;
const listed: Json[] = ["7", "", "many", -1, 1.5, 1e300, Infinity, MOST + 1, true, false, [], [7], {}];
const malformed = fc.oneof(
  fc.constantFrom(...listed),
  fc.string(),
  fc.integer({ max: -1 }),
  fc.integer({ min: MOST + 1 }),
  fc.double({ noNaN: true, noInteger: true }),
  fc.array(fc.nat()),
  fc.dictionary(fc.constantFrom("value", "count"), fc.nat()),
) as fc.Arbitrary<Json>;
const all = (given: (value: Json) => void): void =>
  fc.assert(
    fc.property(malformed, (value) => void given(value)),
    { numRuns: 40, examples: listed.map((value): [Json] => [value]) },
  );

describe.each(figures)("$protocol: $figure", ({ protocol, path }) => {
  const { body, chunks, full } = wires[protocol].report;
  const bad = (value: Json): JsonObject => withFigure(full, path, value);

  test("a malformed count makes the usage of a body missing", () => {
    expect(ofBody(protocol, body(full))).toMatchObject({ input: expect.any(Number) });
    all((value) => expect(ofBody(protocol, body(bad(value)))).toBeUndefined());
  });

  test("a malformed count makes the usage of a stream missing, whatever came before", () => {
    expect(ofStream(protocol, chunks(full, full))).toEqual(ofBody(protocol, body(full)));
    all((value) => {
      expect(ofStream(protocol, chunks(undefined, bad(value)))).toBeUndefined();
      expect(ofStream(protocol, chunks(full, bad(value)))).toBeUndefined();
    });
  });

  test.each([0, 1, MOST])("the figure %i is a count", (count) => {
    expect(ofBody(protocol, body(bad(count)))).toBeDefined();
    expect(ofStream(protocol, chunks(undefined, bad(count)))).toBeDefined();
  });
});

describe.each(streamed)("$protocol: $figure, malformed at first", ({ protocol, path }) => {
  const { chunks, full } = wires[protocol].report;
  const bad = (value: Json): JsonObject => withFigure(full, path, value);

  test("malformed usage stays missing where no later report comes", () => {
    all((value) => expect(ofStream(protocol, chunks(bad(value)))).toBeUndefined());
  });

  test("a complete later report replaces malformed usage", () => {
    const good = ofStream(protocol, chunks(full, full));
    all((value) => expect(ofStream(protocol, chunks(bad(value), full))).toEqual(good));
  });
});

const merging = streamed.filter(({ protocol }) => protocol === "msgstyle" || protocol === "genstyle");
describe.each(merging)("$protocol: $figure, where counts come one by one", ({ protocol, path }) => {
  const { chunks, full } = wires[protocol].report;
  const [name = ""] = path;

  test.each([undefined, null])("malformed usage stays missing after a later report of %j", (unsaid) => {
    // The parts of what the cache took are a word on their sum too.
    const late = withFigure(withFigure(full, ["cache_creation"], undefined), [name], unsaid);
    all((value) => expect(ofStream(protocol, chunks(withFigure(full, path, value), late))).toBeUndefined());
  });
});

test("a zero of the input side is no later report where only output is counted", () => {
  const { chunks } = wires.msgstyle.report;
  for (const name of ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]) {
    const early = { input_tokens: 5, output_tokens: 1, [name]: "9" };
    const late = { input_tokens: 5, output_tokens: 9, [name]: 0 };
    expect(ofStream("msgstyle", chunks(early, late))).toBeUndefined();
  }
});

test("counts of the cache may be null or missing", () => {
  const usage = { input_tokens: 5, output_tokens: 9 };
  const nulls = {
    cache_read_input_tokens: null,
    cache_creation_input_tokens: null,
    cache_creation: null,
    output_tokens_details: null,
    iterations: null,
  };
  for (const report of [usage, { ...usage, ...nulls }])
    expect(ofBody("msgstyle", wires.msgstyle.report.body(report))).toEqual({ input: 5, output: 9 });
  const { chunks } = wires.msgstyle.report;
  const early = { ...usage, cache_read_input_tokens: 3, output_tokens: 1 };
  for (const late of [{ output_tokens: 9 }, { output_tokens: 9, input_tokens: null, ...nulls }])
    expect(ofStream("msgstyle", chunks(early, late))).toEqual({ input: 8, output: 9, cacheRead: 3 });
});

test.each(["chatstyle", "responses"] as const)("%s: a server's own members are no figures", (protocol) => {
  const { body, chunks, full } = wires[protocol].report;
  const own: Json[] = [0.5, "auto", -1, 1e12, [3, 4], { image: 3 }];
  const usage = ofBody(protocol, body(full));
  expect(usage).toBeDefined();
  for (const value of own) {
    const details = Object.fromEntries(
      Object.entries(full).flatMap(([name, held]) =>
        typeof held === "object" ? [[name, { ...(held as JsonObject), multimodal_tokens: value }]] : [],
      ),
    );
    const report = {
      ...full,
      ...details,
      max_context_tokens: value,
      service_tier: "default",
      queue_time: 0.5,
    };
    expect(ofBody(protocol, body(report))).toEqual(usage);
    expect(ofStream(protocol, chunks(undefined, report))).toEqual(usage);
  }
});

test.each<[Protocol, JsonObject]>([
  ["chatstyle", { prompt_tokens: 5 }],
  ["chatstyle", { completion_tokens: 5 }],
  ["responses", { input_tokens: 5 }],
  ["responses", { output_tokens: 5 }],
  ["msgstyle", { input_tokens: 5 }],
  ["msgstyle", { output_tokens: 5 }],
  ["genstyle", { candidatesTokenCount: 5 }],
  ["native", { promptTokens: 5 }],
  ["native", { completionTokens: 5 }],
])("%s: %j is half a report, and no half is free", (protocol, report) => {
  const { body, chunks } = wires[protocol].report;
  expect(ofBody(protocol, body(report))).toBeUndefined();
  expect(ofStream(protocol, chunks(undefined, report))).toBeUndefined();
});

describe.each(["msgstyle", "genstyle"] as const)("%s: a report that is no record", (protocol) => {
  const { chunks, full } = wires[protocol].report;
  test.each(["many", 7, true, [[7]]])("a report of %j leaves the output unknown", (report) => {
    expect(ofStream(protocol, chunks(full, report as Json))).toBeUndefined();
    expect(ofStream(protocol, chunks(report as Json, full))).toEqual(ofStream(protocol, chunks(full, full)));
  });
});
