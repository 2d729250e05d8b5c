import type { JsonObject } from "../json/json.ts";
import { assumedRoles, partTypes } from "./ask-body.ts";
import type { InputRule, Inputs } from "./schema.ts";
import { type MediaKind, mediaKinds, type Operation } from "./terms.ts";

/** Checks whether the native body of an operation has a list of content parts. */
export const hasContent = (operation: Operation): boolean => operation === "image" || operation === "video";

/** Conditions for a part to count as one of these. */
export interface PartFilter {
  input: MediaKind;
  roles?: readonly string[] | undefined;
  forms?: readonly string[] | undefined;
}

/** The native part types of a kind. */
const typesOf = ({ input, forms }: PartFilter): string[] =>
  Object.entries(partTypes).flatMap(([type, part]) =>
    part.kind === input && (!forms || forms.includes(part.form)) ? [type] : [],
  );

/** One of these words; JSON Schema has no empty list of them. */
const oneOf = (words: readonly string[]): JsonObject | false =>
  words.length > 0 ? { enum: [...words] } : false;

/** JSON Schema of a native content part that the filter speaks of. */
export function partSchema(filter: PartFilter, operation: Operation, more: JsonObject = {}): JsonObject {
  const { input, roles } = filter;
  const assumed = assumedRoles[operation]?.[input];
  const needsRole = roles && (assumed === undefined || !roles.includes(assumed));
  return {
    type: "object",
    properties: { type: oneOf(typesOf(filter)), ...(roles && { role: oneOf(roles) }), ...more },
    required: ["type", ...(needsRole ? ["role"] : [])],
  };
}

const atMost = (filters: readonly JsonObject[], max: number): JsonObject => ({
  contains: { anyOf: [...filters] },
  minContains: 0,
  maxContains: max,
});

/** JSON Schema of native content, as far as it can be seen in the parts themselves. */
export function contentSchema(
  inputs: Inputs | undefined,
  operation: Operation,
): { schema: JsonObject; required: boolean } | undefined {
  if (!inputs || !hasContent(operation)) return undefined;
  const taken = mediaKinds.flatMap((kind) => (inputs[kind] ? [[kind, inputs[kind]] as const] : []));
  const part = (filter: PartFilter): JsonObject => partSchema(filter, operation);
  const media = taken.map(([kind, rule]) => kindSchema(kind, rule, operation));
  const counts = taken.flatMap(([kind, { min, max, roles = {} }]): JsonObject[] => [
    ...(max === undefined ? [] : [atMost([part({ input: kind })], max)]),
    ...(min ? [{ contains: part({ input: kind }), minContains: min }] : []),
    ...Object.entries(roles).flatMap(([role, limit]) =>
      limit.max === undefined ? [] : [atMost([part({ input: kind, roles: [role] })], limit.max)],
    ),
  ]);
  const total =
    inputs.total === undefined
      ? []
      : [
          atMost(
            mediaKinds.map((kind) => part({ input: kind })),
            inputs.total,
          ),
        ];
  const all = [...counts, ...total];
  const items = { anyOf: [{ properties: { type: { const: "text" } }, required: ["type"] }, ...media] };
  return {
    schema: { type: "array", items, ...(all.length > 0 && { allOf: all }) },
    required: taken.some(([, { min = 0 }]) => min > 0),
  };
}

/** One part of a kind, within its rule. A part without any role has none that could be wrong. */
function kindSchema(
  input: MediaKind,
  { forms, roles, mediaTypes }: InputRule,
  operation: Operation,
): JsonObject {
  const more = mediaTypes && { mediaType: { enum: mediaTypes } };
  const names = roles && Object.keys(roles);
  const assumes = assumedRoles[operation]?.[input] !== undefined;
  if (assumes || !names) return partSchema({ input, forms, roles: names }, operation, more);
  return partSchema({ input, forms }, operation, { ...more, role: oneOf(names) });
}
