import type { AnyCodec } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import { sayIssues } from "@manifold-gateway/core/plan";
import { type Issue, issuesOf, type Node, type NodeValidator } from "@manifold-gateway/core/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical } from "../../packages/core/src/protocols/genstyle/casing.ts";
import { zodOf } from "../../packages/gateway/src/openapi/request-schemas.ts";
import { every, of, requests } from "./fixtures.ts";
import { mutation } from "./mutations.ts";

const nodeOf = (codec: AnyCodec): Node => (codec.request.schema as NodeValidator<unknown>).node;
const codecs = every.map((codec): [string, AnyCodec] => [codec.protocol, codec]);

const texts = (issues: readonly Issue[]): string[] => sayIssues({ issues });
/** The places that the texts for a caller name. */
const places = (issues: readonly Issue[]): string[] =>
  [...new Set(texts(issues).map((text) => text.split(": ", 1)[0]!))].sort();

/** The message of a block that has no type, which zod's equivalent leaves to its members. */
const OF_BLOCK = "Input should be a content block";

describe("the schema of a wire", () => {
  test.each(codecs)("a schema accepts what zod accepts, and finds the same faults: %s", (protocol, codec) => {
    const node = nodeOf(codec);
    const reference = zodOf(node);
    const wires = mutation(of(requests, codec).map(({ value }) => value as Json));
    let refused = 0;
    fc.assert(
      fc.property(wires, (wire) => {
        const value = protocol === "genstyle" ? canonical(wire) : wire;
        const issues = issuesOf(node, value) ?? [];
        const expected = reference.safeParse(value).error?.issues ?? [];
        if (issues.length > 0) refused += 1;
        expect(places(issues)).toEqual(places(expected));
        // Of a text that is too short and a list besides, zod says both.
        const own = texts(issues).filter((text) => !text.includes(OF_BLOCK));
        expect(texts(expected)).toEqual(expect.arrayContaining(own));
      }),
      { numRuns: 1_000 },
    );
    expect(refused).toBeGreaterThan(100);
  });

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
