import { isObject, type Json, type JsonObject, toArray, toObject } from "@manifold-gateway/core/codec";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeSchema } from "../../../packages/core/src/dialect/normalize.ts";
import { isPortable } from "../../../packages/core/src/dialect/portable.ts";
import { ignoreLosses } from "../../../packages/core/src/ir/loss.ts";
import { targets, writeTool } from "./targets.ts";

const names = ["a", "b", "c"];
const scalars: Json[] = ["x", "yy", 1, 2.5, true, null];
const name = fc.constantFrom(...names);
const scalar = fc.constantFrom(...scalars);
const definitions = ["D", "E", "F"];
const reference = fc
  .constantFrom(
    ...definitions.flatMap((one) => [`#/$defs/${one}`, `#/definitions/${one}`]),
    "#",
    "#/properties/a",
  )
  .map(($ref): JsonObject => ({ $ref }));

/** The members of a record, each left out at times. */
const some = (members: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<JsonObject> =>
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
const joined = (...parts: fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as JsonObject);

const { schema: inner, object } = fc.letrec<{ schema: Json; object: JsonObject; union: JsonObject }>(
  (tie) => {
    const list = (of: fc.Arbitrary<Json>): fc.Arbitrary<Json> => fc.array(of, { minLength: 1, maxLength: 2 });
    const schema = tie("schema");
    const text = joined(
      fc.constant<JsonObject>({ type: "string" }),
      some({ minLength: fc.constantFrom(0, 2), pattern: fc.constant("^x"), description: fc.constant("d") }),
    );
    const object = joined(
      some({ type: fc.constantFrom<Json[]>("object", ["object", "null"]) }),
      some({
        properties: fc.dictionary(name, schema, { maxKeys: 2 }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), schema),
        title: fc.constant("t"),
        minProperties: fc.constant(1),
      }),
    );
    return {
      object,
      union: joined(
        fc
          .oneof(list(tie("object")), list(reference))
          .chain((branches) =>
            fc.constantFrom("anyOf", "oneOf", "allOf").map((key): JsonObject => ({ [key]: branches })),
          ),
        fc.oneof(fc.constant<JsonObject>({}), object),
      ),
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        text,
        scalar.map((value): Json => ({ const: value })),
        fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values): Json => ({ enum: values })),
        fc.constantFrom<Json[]>(
          {},
          true,
          false,
          { type: ["string", "null"] },
          { type: "integer", minimum: 2 },
        ),
        joined(reference, some({ description: fc.constant("d"), minLength: fc.constant(1) })),
        joined(fc.constant<JsonObject>({ type: "array" }), some({ items: schema, maxItems: fc.constant(1) })),
        tie("object"),
        tie("union"),
        joined(
          some({ type: fc.constantFrom<Json[]>("string", "object") }),
          list(schema).map((anyOf): JsonObject => ({ anyOf })),
        ),
        list(schema).map((allOf): Json => ({ allOf })),
        schema.map((not): Json => ({ not })),
      ),
    };
  },
);

/** Schemas of tools: objects, alternatives and references at the top, and definitions in both places. */
const root = joined(
  fc.oneof(
    object,
    reference,
    fc
      .array(fc.oneof(object, reference), { minLength: 1, maxLength: 3 })
      .chain((branches) =>
        fc
          .constantFrom("anyOf", "oneOf", "allOf")
          .chain((key) => object.map((own): JsonObject => ({ ...own, [key]: branches }))),
      ),
  ),
  fc
    .tuple(...definitions.map(() => fc.oneof(object, inner)))
    .map(
      (all) => Object.fromEntries(all.map((schema, i) => [definitions[i] as string, schema])) as JsonObject,
    )
    .map(($defs): JsonObject => ({ $defs, definitions: $defs })),
);

const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(name, tie("value"), { maxKeys: 2 }),
  ),
})).value;
const asked = fc.array(fc.dictionary(name, value, { maxKeys: 3 }), { minLength: 12, maxLength: 12 });

/** Whether a schema takes a value; nothing for schemas that never end. */
function accepts(schema: Json): ((value: Json) => boolean | undefined) | undefined {
  try {
    const validate = new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(
      schema as object,
    );
    return (one) => {
      try {
        return validate(one) as boolean;
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}

/** The properties that a schema names for its own object: in itself, its branches and what they refer to. */
function namesAtTop(schema: Json, root: JsonObject, refs: readonly string[] = []): string[] {
  if (!isObject(schema)) return [];
  const types = [schema.type ?? "object"].flat();
  if (!types.includes("object")) return [];
  const own = Object.entries(toObject(schema.properties)).filter(([, one]) => one !== false);
  const branches = ["anyOf", "oneOf", "allOf"].flatMap((key) => toArray(schema[key]));
  const ref = typeof schema.$ref === "string" && !refs.includes(schema.$ref) ? schema.$ref : undefined;
  const target = ref
    ?.slice(1)
    .split("/")
    .slice(1)
    .reduce<Json | undefined>((place, key) => toObject(place)[key], root);
  return [
    ...own.map(([one]) => one),
    ...branches.flatMap((branch) => namesAtTop(branch, root, refs)),
    ...(ref !== undefined && target !== undefined ? namesAtTop(target, root, [...refs, ref]) : []),
  ];
}

describe.each(Object.entries(targets))("generated schemas of tools: %s", (_, target) => {
  test("what a tool may be given is neither more nor less without a loss", () => {
    fc.assert(
      fc.property(root, asked, (schema, values) => {
        const { schema: written, losses } = writeTool(schema, target);
        if (losses.length > 0) return;
        const before = accepts(schema);
        const after = accepts(written ?? {});
        if (!before) return;
        expect(after, JSON.stringify(written)).toBeDefined();
        for (const one of values) {
          const taken = before(one);
          if (taken !== undefined)
            expect({ one, written, taken: after?.(one) }).toEqual({ one, written, taken });
        }
      }),
      { numRuns: 30 },
    );
  });

  test("every property that a tool may be given is shown to the model, whatever is lost", () => {
    fc.assert(
      fc.property(root, (schema) => {
        const { schema: written } = writeTool(schema, target);
        const shown = Object.keys(toObject(toObject(written).properties));
        expect(shown).toEqual(expect.arrayContaining(namesAtTop(schema, schema)));
      }),
      { numRuns: 50 },
    );
  });

  test("a schema that was written is written the same again", () => {
    fc.assert(
      fc.property(root, (schema) => {
        const { schema: once } = writeTool(schema, target);
        const { schema: twice, losses } = writeTool(once ?? { type: "object" }, target);
        expect({ twice: twice ?? once, losses }).toEqual({ twice: once, losses: [] });
      }),
      { numRuns: 30 },
    );
  });
});

test("a schema that is passed on without a rewriting is one that the rewriting would not change", () => {
  let usual = 0;
  const usualObject = object.map(
    (schema): JsonObject => ({ ...schema, type: "object", properties: schema.properties ?? {} }),
  );
  fc.assert(
    fc.property(usualObject, (schema) => {
      if (!isPortable(schema, [])) return;
      usual += 1;
      // This form keeps the schema from being passed on, and none has it.
      const rules = { object: true, refuses: ["untypedItems", "schemaName"] } as const;
      expect(normalizeSchema(schema, rules, ignoreLosses, "")).toEqual(schema);
    }),
    { numRuns: 500 },
  );
  expect(usual).toBeGreaterThan(50);
});
