import { z } from "zod";
import { configSchema } from "./schema.ts";
import { withVariables } from "./schema-variables.ts";

type Schema = { [key: string]: unknown; $ref?: string; $defs?: Record<string, Schema> };

const REF = "#/$defs/";

/**
 * The JSON Schema of a configuration file, for editors. A shared schema is in `$defs`, under the name of the first
 * field that has it. A schema that is short or used once is inlined.
 */
export function configJsonSchema(): Schema {
  const { $defs: shared = {}, ...root } = z.toJSONSchema(configSchema, {
    io: "input",
    reused: "ref",
    override: ({ jsonSchema }) => leaveOut(jsonSchema as Schema),
  }) as Schema;
  const uses = countUses([root, shared]);
  const made: Record<string, Schema> = {};
  const names = new Map<string, string>();
  const nameFor = (field: string): string => {
    let name = field;
    for (let n = 2; Object.hasOwn(made, name); n++) name = `${field}${n}`;
    return name;
  };
  const place = (value: unknown, field: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => place(item, field));
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest } = value as Schema;
    if (typeof $ref !== "string" || !$ref.startsWith(REF))
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, place(item, fieldOf(key, field))]),
      );
    const of = $ref.slice(REF.length);
    const target = shared[of] ?? {};
    if (uses.get(of) === 1 || JSON.stringify(target).length < LONG)
      return { ...(place(target, field) as Schema), ...rest };
    let name = names.get(of);
    if (name === undefined) {
      name = nameFor(field);
      names.set(of, name);
      made[name] = {};
      made[name] = place(target, field) as Schema;
    }
    return { ...rest, $ref: REF + name };
  };
  const placed = place(root, "root") as Schema;
  return withVariables({ ...placed, $defs: made });
}

/** The length in characters from which a schema is shared. */
const LONG = 80;

/** Keywords of JSON Schema; other keys are names of fields. */
const WORDS = new Set([
  "properties",
  "additionalProperties",
  "items",
  "prefixItems",
  "anyOf",
  "oneOf",
  "allOf",
  "propertyNames",
]);
const fieldOf = (key: string, field: string): string => (WORDS.has(key) || /^\d+$/.test(key) ? field : key);

/** Removes bounds that say nothing: those of every safe integer. */
function leaveOut(schema: Schema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function countUses(value: unknown, uses = new Map<string, number>()): Map<string, number> {
  if (typeof value !== "object" || value === null) return uses;
  const { $ref } = value as Schema;
  if (typeof $ref === "string") {
    const of = $ref.slice(REF.length);
    uses.set(of, (uses.get(of) ?? 0) + 1);
  }
  for (const inside of Object.values(value)) countUses(inside, uses);
  return uses;
}
