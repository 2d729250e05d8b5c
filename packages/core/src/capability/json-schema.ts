import { type JsonObject, lookup } from "../json/json.ts";
import { type Area, accepts, areaOf, hasMembers, ruleOf } from "./area.ts";
import { contentSchema } from "./content-schema.ts";
import { knownParams } from "./fields.ts";
import { kindOf } from "./kinds.ts";
import type { ParamRule } from "./param-rule.ts";
import { ruleSchema } from "./rule-schema.ts";
import type { Capabilities } from "./schema.ts";
import { describeShape, SIZE_PATTERN } from "./shape.ts";
import type { Shape } from "./shape-schema.ts";
import type { Operation } from "./terms.ts";

/**
 * JSON Schema (2020-12) of a native body for one operation: its parameters, its `content` and what goes with what.
 * It takes and rejects what `check` does, but says less where it has no words: numbers inside sizes, bytes, seconds
 * and pixels of media, sums over more than one parameter, media of text requests, and misspelt names. Of a strict
 * text model it rejects each parameter that is not listed, even where a request only states the default.
 */
export function toJsonSchema(capabilities: Capabilities | undefined, operation: Operation): JsonObject {
  const area = areaOf(capabilities, operation);
  const properties: JsonObject = {};
  const names = [...(area.supported ?? []), ...Object.keys(area.params), ...Object.keys(area.unsupported)];
  for (const name of new Set(names)) {
    const rule = ruleOf(area, name);
    if (rule) put(properties, name, paramSchema(rule));
    else if (name.includes(".")) put(properties, name, {});
  }
  for (const rule of area.rules)
    if (rule.type === "size" && accepts(area, rule.field)) put(properties, rule.field, sizeSchema(rule));
  for (const name of refusedParams(area, operation)) put(properties, name, false);
  const content = contentSchema(area.inputs, operation);
  const all = area.rules.flatMap((rule) => ruleSchema(rule, area, operation));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { ...properties, ...(content && { content: content.schema }) },
    ...(content?.required && { required: ["content"] }),
    ...(all.length > 0 && { allOf: all }),
  };
}

/** The schema of one parameter: its default, and a description of what is allowed. */
const paramSchema = (rule: ParamRule): JsonObject => ({
  ...kindOf(rule).schema(rule),
  description: kindOf(rule).allowed(rule),
  ...(rule.default !== undefined && { default: rule.default }),
});

const sizeSchema = ({ words, shape }: { words?: string[] | undefined; shape: Shape }): JsonObject => ({
  anyOf: [...(words?.length ? [{ enum: words }] : []), { type: "string", pattern: SIZE_PATTERN }],
  description: describeShape(shape),
});

/** The parameters that a request is refused for. */
function refusedParams(area: Area, operation: Operation): string[] {
  const refused = Object.entries(area.unsupported).flatMap(([name, effect]) =>
    effect === "refuse" ? [name] : [],
  );
  const unlisted = knownParams[operation].filter(
    (name) => !accepts(area, name) && !hasMembers(area, name) && !Object.hasOwn(area.unsupported, name),
  );
  return area.strict ? [...refused, ...unlisted] : refused;
}

/** Puts the schema of a parameter in its place; both count where there is one already. */
function put(properties: JsonObject, name: string, schema: JsonObject | false): void {
  const [key = "", ...below] = name.split(".");
  const inner: JsonObject = {};
  if (below.length > 0) put(inner, below.join("."), schema);
  const added = below.length > 0 ? { type: "object", properties: inner } : schema;
  const before = lookup(properties, key);
  properties[key] = before === undefined ? added : { allOf: [before, added] };
}
