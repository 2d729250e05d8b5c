import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { mapSchemas } from "./places.ts";

/** Keywords without which a schema still names the same properties and types: limits and annotations. */
export const optionalKeywords = [
  ...["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "unevaluatedItems"],
  ...["minProperties", "maxProperties", "propertyNames", "patternProperties"],
  ...["additionalProperties", "unevaluatedProperties", "dependentRequired", "dependentSchemas"],
  ...["if", "then", "else", "not"],
  ...["$schema", "$id", "$comment", "title", "default", "examples", "deprecated", "readOnly", "writeOnly"],
] as const;
export type OptionalKeyword = (typeof optionalKeywords)[number];

/** The schema without these keywords, in any depth; the same object if it has none. `report` gets each. */
export function withoutKeywords(
  schema: Json,
  keywords: readonly OptionalKeyword[],
  report: (keyword: string) => void,
): Json {
  if (!isObject(schema)) return schema;
  const inner = mapSchemas(schema, (one) => withoutKeywords(one, keywords, report));
  const present = keywords.filter((keyword) => Object.hasOwn(inner, keyword));
  if (present.length === 0) return inner;
  const left: JsonObject = { ...inner };
  for (const keyword of present) {
    report(keyword);
    delete left[keyword];
  }
  return left;
}
