import type { AnyCodec } from "@manifold-gateway/core";
import { type Json, validate } from "@manifold-gateway/core/codec";
import { type EmbedCodec, embedCodecs } from "@manifold-gateway/core/operations";
import { describeIssues } from "@manifold-gateway/core/plan";
import {
  type Issue,
  issuesOf,
  type Node,
  type NodeValidator,
  plainWords,
} from "@manifold-gateway/core/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical } from "../../packages/core/src/protocols/genstyle/casing.ts";
import { zodOf } from "../../packages/gateway/src/openapi/request-schemas.ts";
import { every, of, requests } from "./fixtures.ts";
import { mutation } from "./mutations.ts";

const nodeOf = (codec: AnyCodec | EmbedCodec): Node => (codec.request.schema as NodeValidator<unknown>).node;
const codecs = every.map((codec): [string, AnyCodec] => [codec.protocol, codec]);

const texts = (issues: readonly Issue[]): string[] => describeIssues({ issues });
/** The places that the texts for a caller name. */
const places = (issues: readonly Issue[]): string[] =>
  [...new Set(texts(issues).map((text) => text.split(": ", 1)[0]!))].sort();

/** The message of a block that has no type, which zod's equivalent leaves to its members. */
const OF_BLOCK = "Input should be a content block";

type Check = (issues: Issue[], expected: Issue[]) => void;

const alike: Check = (issues, expected) => {
  expect(places(issues)).toEqual(places(expected));
  // Of a text that is too short and a list besides, zod says both.
  const exact = texts(issues).filter((text) => !text.includes(OF_BLOCK));
  expect(texts(expected)).toEqual(expect.arrayContaining(exact));
};

/** Where zod names a value that is none of a union's, the place within it that is wrong is named. */
const closer: Check = (issues, expected) => {
  for (const place of places(issues))
    expect(places(expected).some((outer) => place === outer || place.startsWith(`${outer}.`))).toBe(true);
};

/** Compares the faults of values with those that zod finds, and returns how many values have any. */
function compare(node: Node, values: fc.Arbitrary<unknown>, check: Check = alike): number {
  const reference = zodOf(node);
  let refused = 0;
  fc.assert(
    fc.property(values, (value) => {
      const issues = issuesOf(node, value) ?? [];
      const expected = validate(reference, value, plainWords).error?.issues ?? [];
      if (issues.length > 0) refused += 1;
      expect(issues.length > 0).toBe(expected.length > 0);
      check(issues, expected);
    }),
    { numRuns: 1_000 },
  );
  return refused;
}

const embeddings: Record<"chatstyle" | "msgstyle", Json[]> = {
  chatstyle: ["a", ["a", "b"], [1, 2], [[1], [2, 3]], [{ content: [{ type: "text", text: "a" }] }]],
  msgstyle: [
    "a",
    { content: [{ type: "imageUrl", url: "https://a.test/x.png" }] },
    [
      "a",
      {
        content: [
          { type: "text", text: "a" },
          { type: "imageBase64", data: "data:image/png;base64,AA" },
        ],
      },
    ],
  ],
};

describe("the schema of a wire", () => {
  test.each(codecs)("a schema accepts what zod accepts, and finds the same faults: %s", (protocol, codec) => {
    const wires = mutation(of(requests, codec).map(({ value }) => value as Json));
    const values = protocol === "genstyle" ? wires.map(canonical) : wires;
    expect(compare(nodeOf(codec), values)).toBeGreaterThan(100);
  });

  test.each(Object.entries(embeddings))(
    "a schema of embeddings accepts what zod accepts, and finds the same faults: %s",
    (protocol, inputs) => {
      const wires = inputs.map((input) => ({ model: "m", input, dimensions: 8, encoding_format: "float" }));
      const codec = embedCodecs[protocol as keyof typeof embeddings];
      const check = protocol === "msgstyle" ? closer : alike;
      expect(compare(nodeOf(codec), mutation<Json>(wires), check)).toBeGreaterThan(100);
    },
  );

  test.each(codecs)("a schema does not throw for a value of any depth: %s", (_, codec) => {
    let list: unknown = [];
    let record: unknown = {};
    for (let depth = 0; depth < 100_000; depth++) {
      list = [list];
      record = { content: record, type: "tool_result" };
    }
    for (const deep of [list, record])
      for (const wire of [deep, { messages: deep }, { contents: [deep] }, { input: [{ content: [deep] }] }])
        expect(() => codec.request.schema.safeParse(wire)).not.toThrow();
  });
});
