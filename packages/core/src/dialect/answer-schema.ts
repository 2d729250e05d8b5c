import { collectLosses, ignoreLosses } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject, toObject } from "../json/json.ts";
import { isPlainObject, toObjectSchema } from "./object-schema.ts";
import { type Definitions, hoist, nameIn } from "./references.ts";

/** Checks whether a schema is that of an object, and can say so at its top without a loss. */
export function isObjectSchema(schema: Json): boolean {
  if (!isObject(schema)) return false;
  if (isPlainObject(schema)) return schema.type === "object" || isObject(schema.properties);
  const { losses, lose } = collectLosses();
  const { body, definitions } = hoist(schema, lose, "");
  const { properties } = toObjectSchema(body, definitions, lose, "");
  return (
    losses.length === 0 && Object.keys(toObject(properties)).length > 0 && !allowsMore(body, definitions)
  );
}

/** Checks whether a schema, or one that it refers to, has several types. */
function allowsMore(schema: JsonObject, definitions: Definitions, refs: readonly string[] = []): boolean {
  const name = nameIn(schema);
  if (Array.isArray(schema.type)) return true;
  if (name === undefined || refs.includes(name)) return false;
  return allowsMore(toObject(definitions.get(name)), definitions, [...refs, name]);
}

/** The schema of an object whose one member has the schema. */
export function wrapSchema(schema: Json, member: string): JsonObject {
  const hoisted = isObject(schema) ? hoist(schema, ignoreLosses, "") : undefined;
  return {
    type: "object",
    properties: { [member]: hoisted?.body ?? schema },
    required: [member],
    additionalProperties: false,
    ...(hoisted && hoisted.definitions.size > 0 && { $defs: Object.fromEntries(hoisted.definitions) }),
  };
}
