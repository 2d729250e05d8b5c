import type { Dialect } from "../dialect/index.ts";
import { rulesFor } from "../dialect/rules.ts";
import { ignoreLosses } from "../ir/loss.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Context } from "./content.ts";

/** The context of the tools and of the format of a request. */
export interface ToolContext extends Context {
  dialect: Pick<Dialect, "strictViolation" | "isObjectSchema" | "normalizeSchema">;
}

/** The context of a schema: its wire, the model, and its place. */
export interface SchemaContext extends ToolContext {
  wire: "chatstyle" | "responses";
  path: string;
  /** False for a schema whose top may be anything. */
  object?: boolean;
}

/**
 * A schema as the family takes it, and whether it can be strict. The strict subset is small, and a request with any
 * other schema is refused: such a schema is sent as it is, for the model to follow without a guarantee.
 */
export function writeSchema(
  schema: Json,
  strict: boolean | undefined,
  { wire, traits, dialect, lose, path, object = true }: SchemaContext,
): { schema: JsonObject; strict?: boolean } {
  const at = `${path}/schema`;
  const plain = (): JsonObject =>
    dialect.normalizeSchema(schema, rulesFor(wire, traits.schemaRefuses, object), lose, at);
  const isKnown = traits.strict !== false;
  if (!strict) return { schema: plain(), ...(strict !== undefined && isKnown && { strict }) };
  if (traits.strict === false) {
    lose(`${path}/strict`, "unsupported");
    return { schema: plain() };
  }
  const rules = rulesFor(wire, ["referenceNeighbours", ...(traits.schemaRefuses ?? [])], object);
  const reason = dialect.strictViolation(dialect.normalizeSchema(schema, rules, ignoreLosses, at));
  if (reason === undefined) return { schema: dialect.normalizeSchema(schema, rules, lose, at), strict };
  lose(`${path}/strict`, "unsupported", `the strict subset does not have ${reason}`);
  return { schema: plain() };
}
