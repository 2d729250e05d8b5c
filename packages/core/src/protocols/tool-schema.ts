import type { Traits } from "../codec/traits.ts";
import type { Dialect } from "../dialect/index.ts";
import { rulesFor } from "../dialect/rules.ts";
import type { FunctionTool } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { type JsonObject, sameJson } from "../json/json.ts";

/** The schema of a tool without arguments. */
export const noArguments = (): JsonObject => ({ type: "object" });

/** The context of a tool's schema. */
interface SchemaContext {
  target: Parameters<typeof rulesFor>[0];
  traits: Traits;
  dialect: Dialect;
  lose: Lose;
}

/**
 * The schema of a tool for wires that demand one and that constrain decoding in the same dialect, and whether it is
 * strict. A strict schema that the dialect cannot express whole is not strict.
 */
export function writeToolSchema(
  tool: FunctionTool,
  path: string,
  { target, traits, dialect, lose }: SchemaContext,
): { schema: JsonObject; strict?: boolean } {
  const { schema } = tool;
  const at = `${path}/schema`;
  const rules = rulesFor(target, traits.schemaRefuses);
  if (tool.strict && traits.strict === false) lose(`${path}/strict`, "unsupported");
  // A model without the setting refuses it whatever it says.
  const strict = traits.strict === false ? undefined : tool.strict;
  if (schema === undefined) return { schema: noArguments(), ...(strict !== undefined && { strict }) };
  if (strict) {
    const constrained = dialect.constrainTool(schema, rules);
    if (constrained) {
      if (!sameJson(constrained, schema)) lose(at, "approximated", "rewritten in the dialect of the target");
      return { schema: constrained, strict };
    }
    lose(`${path}/strict`, "unsupported", "the schema recurs, or has objects of any properties");
  }
  const written = dialect.normalizeSchema(schema, rules, lose, at);
  return { schema: written, ...(strict === false && { strict }) };
}
