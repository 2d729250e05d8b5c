import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";

/** Converts Zod schemas to JSON Schema. Those with an id are written once, under `components`, and referenced. */
export interface Schemas {
  of(schema: z.ZodType): JsonObject;
  /** Schemas by id, in the order of their first use. */
  readonly components: JsonObject;
}

/** A check in code, which JSON Schema cannot express, is left out: the schema accepts more than the service does. */
export function createSchemas(): Schemas {
  const components: JsonObject = {};
  return {
    components,
    of(schema) {
      const json = JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
      const {
        $schema: _,
        $defs,
        ...root
      } = JSON.parse(json.replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonObject & {
        $defs?: JsonObject;
      };
      for (const [id, definition] of Object.entries($defs ?? {})) keep(components, id, definition);
      return root;
    },
  };
}

function keep(components: JsonObject, id: string, definition: Json): void {
  const known = components[id];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition))
    throw new Error(`two schemas have the id '${id}'`);
  components[id] = definition;
}
