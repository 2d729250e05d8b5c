import { closestName } from "./closest-name.ts";

/** The part of a JSON Schema that lists the names a place knows. */
export interface KnownNames {
  /** The members of an object, by name. */
  properties?: Record<string, KnownNames>;
  /** The names of a record whose members have all one shape. */
  propertyNames?: { enum?: readonly unknown[] };
  /** The shape of members that are not named. */
  additionalProperties?: KnownNames | boolean;
  /** The shape of a list's items. */
  items?: KnownNames | KnownNames[];
  /** The shapes that a value may have. */
  anyOf?: KnownNames[];
  /** The shapes of which a value has one. */
  oneOf?: KnownNames[];
}

/** What is said of an unknown field: the known fields in its place, and the one that was probably meant. */
export const describeUnknownField = (path: readonly PropertyKey[], schema: KnownNames): string =>
  describeUnknownName(String(path.at(-1)), namesAt(schema, path.slice(0, -1)));

/** The same by the names of all fields. */
export function describeUnknownName(name: string, fields: readonly string[]): string {
  const meant = closestName(name, fields);
  const hint = meant === undefined ? "" : `. Did you mean '${meant}'?`;
  return `there is no such field; known are ${fields.join(", ")}${hint}`;
}

/** The names of the fields that a place knows. */
function namesAt(schema: KnownNames, path: readonly PropertyKey[]): string[] {
  let places = [schema];
  for (const step of path) places = places.flatMap(shapesOf).flatMap((place) => below(place, step));
  const names = places
    .flatMap(shapesOf)
    .flatMap(({ properties = {}, propertyNames }) => [
      ...Object.keys(properties),
      ...(propertyNames?.enum ?? []).map(String),
    ]);
  return [...new Set(names)];
}

const shapesOf = (schema: KnownNames): KnownNames[] => {
  const shapes = schema.anyOf ?? schema.oneOf;
  return shapes ? shapes.flatMap(shapesOf) : [schema];
};

function below(
  { properties = {}, additionalProperties, items }: KnownNames,
  step: PropertyKey,
): KnownNames[] {
  if (typeof step === "number")
    return Array.isArray(items) ? items.slice(step, step + 1) : items ? [items] : [];
  const named = Object.hasOwn(properties, step) ? properties[String(step)] : additionalProperties;
  return typeof named === "object" ? [named] : [];
}
