import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";

/** Zod schemas as JSON Schema; those with an id are written once, under `components`, and referred to. */
export interface Schemas {
  of(schema: z.ZodType): JsonObject;
  /** By id, in the order in which they were met. */
  readonly components: JsonObject;
}

/** A check in code, which no JSON Schema can express, is left out: the schema then admits more than the service. */
export function createSchemas(): Schemas {
  const components: JsonObject = {};
  return {
    components,
    of(schema) {
      const json = JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
      const {
        $schema: _,
        $defs,
        ...own
      } = JSON.parse(json.replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonObject & {
        $defs?: JsonObject;
      };
      for (const [id, definition] of Object.entries($defs ?? {})) keep(components, id, definition);
      return own;
    },
  };
}

function keep(components: JsonObject, id: string, definition: Json): void {
  const known = components[id];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition))
    throw new Error(`two schemas have the id '${id}'`);
  components[id] = definition;
}
