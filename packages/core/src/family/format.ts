import type { Format } from "../ir/index.ts";
import { isObject, type JsonObject, textOf, toText } from "../json/json.ts";
import { type SchemaContext, type ToolContext, writeSchema } from "./schemas.ts";

/** The name of a schema that has none: the family insists on one. */
const UNNAMED = "response";

/** The shape that a named schema asks for; nothing where there is no schema. */
export function toSchemaFormat({ name, description, schema, strict }: JsonObject): Format | undefined {
  if (!isObject(schema)) return undefined;
  return {
    type: "schema",
    schema,
    ...(textOf(name) !== undefined && name !== UNNAMED && { name: toText(name) }),
    ...(textOf(description) !== undefined && { description: toText(description) }),
    ...(typeof strict === "boolean" && { strict }),
  };
}

/** The members of a named schema. */
export function writeSchemaFormat(
  format: Format & { type: "schema" },
  context: ToolContext & Pick<SchemaContext, "wire">,
): JsonObject {
  const { description } = format;
  const { lose, dialect } = context;
  const object = dialect.isObjectSchema(format.schema);
  const { schema, strict } = writeSchema(format.schema, format.strict, {
    ...context,
    path: "/format",
    object,
  });
  const name = (format.name ?? "").replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
  if (format.name !== undefined && name !== format.name) lose("/format/name", "approximated");
  return {
    name: name || UNNAMED,
    ...(description !== undefined && { description }),
    schema,
    ...(strict !== undefined && { strict }),
  };
}

/** The shapes without a schema. */
export const writePlainFormat = (format: Format): JsonObject => ({
  type: format.type === "json" ? "json_object" : "text",
});
