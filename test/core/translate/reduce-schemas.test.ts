import { codecs, encodeRequest } from "@manifold-gateway/core";
import { optionalKeywords } from "@manifold-gateway/core/codec";
import type { TextRequest } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutKeywords } from "../../../packages/core/src/dialect/keywords.ts";

const schema = {
  type: "object",
  properties: {
    minLength: { type: "string", minLength: 3 },
    list: { type: "array", items: { $ref: "#/$defs/word" } },
  },
  $defs: { word: { type: "string", minLength: 1 } },
};
const request: TextRequest = {
  model: "m",
  stream: false,
  messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
  tools: [{ type: "function", name: "find", schema }],
  params: {},
};

describe("keywords of schemas that a model refuses", () => {
  it.each(Object.values(codecs).map((codec) => [codec.protocol, codec] as const))(
    "are left out of tools on %s, in any depth, and reported",
    (_, codec) => {
      const { wire, losses } = encodeRequest(request, codec, { schemaWithout: ["minLength"] });
      const text = JSON.stringify(wire);
      // A property may have the name of a keyword.
      expect(text.match(/"minLength"/g)).toHaveLength(1);
      expect(text).toContain('"minLength":{"type":"string"}');
      expect(losses).toContainEqual({
        path: "/tools/0/schema",
        why: "approximated",
        detail: "minLength is left out: the model refuses it",
      });
    },
  );

  it("are left out of formats, and reported", () => {
    const asked: TextRequest = { ...request, tools: [], format: { type: "schema", name: "a", schema } };
    const { wire, losses } = encodeRequest(asked, codecs.chatstyle, { schemaWithout: ["minLength"] });
    expect(JSON.stringify(wire).match(/"minLength"/g)).toHaveLength(1);
    expect(losses.map(({ path }) => path)).toContain("/format/schema");
  });

  it("change nothing else of any schema", () => {
    const schemas = fc.letrec<{ schema: object | boolean }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.boolean(),
        fc.record(
          {
            type: fc.constantFrom("object", "string", "array"),
            minLength: fc.nat(9),
            format: fc.constant("date"),
            properties: fc.dictionary(fc.constantFrom("a", "format", "minLength"), tie("schema")),
            items: tie("schema"),
            anyOf: fc.array(tie("schema"), { maxLength: 3 }),
          },
          { requiredKeys: [] },
        ),
      ),
    })).schema;
    const strip = (value: unknown, isSchema = true): unknown => {
      if (typeof value !== "object" || value === null) return value;
      if (Array.isArray(value)) return value.map((one) => strip(one));
      return Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => !isSchema || (key !== "format" && key !== "minLength"))
          .map(([key, one]) => [key, strip(one, !isSchema || key !== "properties")]),
      );
    };
    fc.assert(
      fc.property(schemas, (one) => {
        const found = new Set<string>();
        const reduced = withoutKeywords(one as never, ["format", "minLength"], (key) => found.add(key));
        expect(reduced).toEqual(strip(one));
        expect(found.size > 0).toBe(JSON.stringify(reduced) !== JSON.stringify(one));
      }),
    );
  });

  it("are none that name properties or types", () => {
    const naming = ["type", "properties", "items", "required", "enum", "const", "$ref", "$defs", "anyOf"];
    expect(optionalKeywords.filter((name) => naming.includes(name))).toEqual([]);
  });
});
