import type { Traits } from "../codec/traits.ts";
import { againstStrict, normalizeSchema, rulesFor } from "../dialect/index.ts";
import { ignoreLosses, type Lose } from "../ir/loss.ts";
import type { Json, JsonObject } from "../json/json.ts";

/** The context of a schema: its wire, the model, and its place. */
export interface SchemaContext {
  wire: "chatstyle" | "responses";
  traits: Traits;
  lose: Lose;
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
  { wire, traits, lose, path, object = true }: SchemaContext,
): { schema: JsonObject; strict?: boolean } {
  const at = `${path}/schema`;
  const plain = (): JsonObject =>
    normalizeSchema(schema, rulesFor(wire, traits.schemaRefuses, object), lose, at);
  const isKnown = traits.strict !== false;
  if (!strict) return { schema: plain(), ...(strict !== undefined && isKnown && { strict }) };
  if (traits.strict === false) {
    lose(`${path}/strict`, "unsupported");
    return { schema: plain() };
  }
  const rules = rulesFor(wire, ["referenceNeighbours", ...(traits.schemaRefuses ?? [])], object);
  const reason = againstStrict(normalizeSchema(schema, rules, ignoreLosses, at));
  if (reason === undefined) return { schema: normalizeSchema(schema, rules, lose, at), strict };
  lose(`${path}/strict`, "unsupported", `the strict subset does not have ${reason}`);
  return { schema: plain() };
}
