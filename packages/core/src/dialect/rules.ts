import type { SchemaForm } from "./forms.ts";

/** What a target wants of schemas. */
export interface SchemaRules {
  /** True if the top has to be an object that lists its properties, without alternatives or references. */
  object: boolean;
  refuses: readonly SchemaForm[];
}

/** Targets by the names of their protocols: what each wants of the schemas of tools and answers, if not strict. */
export const schemaRules = {
  chatstyle: { object: true, refuses: ["untypedItems", "rarePatterns"] },
  responses: { object: true, refuses: ["untypedItems", "rarePatterns"] },
  msgstyle: { object: true, refuses: [] },
  genstyle: {
    object: true,
    refuses: ["referenceNeighbours", "innerReferences", "requiredCycles", "untypedItems"],
  },
  conversestyle: { object: true, refuses: [] },
} satisfies Record<string, SchemaRules>;

/** The rules of a target for a model that refuses more. */
export const rulesFor = (
  target: keyof typeof schemaRules,
  more: readonly SchemaForm[] = [],
  object = true,
): SchemaRules => ({ object, refuses: [...schemaRules[target].refuses, ...more] });
