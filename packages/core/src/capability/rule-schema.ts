import type { JsonObject } from "../json/json.ts";
import { type Area, accepts, ruleOf } from "./area.ts";
import { hasContent, partSchema } from "./content-schema.ts";
import type { Clause, CrossRule, InputClause } from "./schema.ts";
import type { Operation } from "./terms.ts";

/** A member of the body, which may stand in an object. */
function memberSchema(name: string, schema: JsonObject): JsonObject {
  const [key = "", ...below] = name.split(".");
  const inner = below.length > 0 ? { type: "object", ...memberSchema(below.join("."), schema) } : schema;
  return { required: [key], properties: { [key]: inner } };
}

/** A schema for the clause: as it is written or, with `defaults`, as it counts. */
function clauseSchema(clause: Clause, area: Area, operation: Operation, defaults: boolean): JsonObject {
  if ("input" in clause) return countSchema([clause], operation, clause.count);
  const { field, is } = clause;
  // A parameter that is removed before the request is sent never satisfies a clause.
  if (!accepts(area, field)) return { not: {} };
  const written = memberSchema(field, is ? { enum: is } : {});
  const assumed = ruleOf(area, field)?.default;
  if (!defaults || assumed === undefined || !(is?.includes(assumed) ?? true)) return written;
  return { anyOf: [written, { not: memberSchema(field, {}) }] };
}

/** A schema for content with so many of these parts. */
function countSchema(
  clauses: readonly InputClause[],
  operation: Operation,
  { min = 1, max }: { min?: number | undefined; max?: number | undefined } = {},
): JsonObject {
  return {
    ...(min > 0 && { required: ["content"] }),
    properties: {
      content: {
        contains: { anyOf: clauses.map((clause) => partSchema(clause, operation)) },
        minContains: min,
        ...(max !== undefined && { maxContains: max }),
      },
    },
  };
}

/** The most values of a parameter that get a schema each. */
const MAX_VALUES = 64;

/** A sum of parts, or of parts and one whole number with bounds. */
function sumSchema(
  { of, max }: Extract<CrossRule, { type: "sum" }>,
  area: Area,
  operation: Operation,
): JsonObject[] {
  const parts = of.filter((clause) => "input" in clause);
  const fields = of.flatMap((clause) =>
    "field" in clause && accepts(area, clause.field) ? [clause.field] : [],
  );
  const [field] = fields;
  const atMost = (count: number): JsonObject =>
    count < 0 ? { not: {} } : parts.length > 0 ? countSchema(parts, operation, { min: 0, max: count }) : {};
  if (field === undefined) return [atMost(max)];
  const rule = ruleOf(area, field);
  if (fields.length > 1 || rule?.type !== "int" || rule.max - rule.min > MAX_VALUES) return [];
  const values = Array.from({ length: Math.max(0, rule.max - rule.min + 1) }, (_, i) => rule.min + i);
  return [
    { anyOf: [memberSchema(field, {}), atMost(max - (rule.default ?? 0))] },
    ...values.map((value) => ({
      anyOf: [{ not: memberSchema(field, { const: value }) }, atMost(max - value)],
    })),
  ];
}

/** Checks whether a rule is about media. */
const concernsMedia = (rule: CrossRule): boolean =>
  Object.values(rule)
    .flat()
    .some((value) => typeof value === "object" && "input" in value);

/** JSON Schema of a rule over several fields. A `size` is a schema of its field. */
export function ruleSchema(rule: CrossRule, area: Area, operation: Operation): JsonObject[] {
  // Only bodies with native content show their media to a schema.
  if (!hasContent(operation) && concernsMedia(rule)) return [];
  const written = (clause: Clause): JsonObject => clauseSchema(clause, area, operation, false);
  const anyOf = (clauses: readonly Clause[]): JsonObject => ({
    anyOf: clauses.map((clause) => clauseSchema(clause, area, operation, true)),
  });
  switch (rule.type) {
    case "requires":
      return [{ anyOf: [{ not: written(rule.if) }, anyOf(rule.need)] }];
    case "excludes":
      return [{ not: { allOf: [written(rule.if), anyOf(rule.not)] } }];
    case "never":
      return [{ not: written(rule.if) }];
    case "sum":
      return sumSchema(rule, area, operation);
    case "size":
      return [];
  }
}
