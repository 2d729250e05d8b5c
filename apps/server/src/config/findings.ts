import { resembling } from "@manifold/core";
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** What a checker found, one finding a line: its place, what is wrong, and what would be right. */
export function findingsOf(issues: readonly Issue[], schema: JsonSchema): string[] {
  return issues.flatMap((issue) => findings(issue, schema));
}

/** As much of a JSON Schema as tells what a place may hold. */
export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema | JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

function findings(issue: Issue, schema: JsonSchema): string[] {
  const at = (path: readonly PropertyKey[]): string => path.map(String).join(".") || "(root)";
  if (issue.code === "unrecognized_keys") {
    const known = namesAt(schema, issue.path);
    return issue.keys.map((key) => {
      const meant = resembling(key, known);
      const hint = meant === undefined ? "" : `. Did you mean '${meant}'?`;
      return `${at([...issue.path, key])}: there is no such field; known are ${known.join(", ")}${hint}`;
    });
  }
  if (issue.code === "invalid_key") {
    const [first] = issue.issues;
    return [`${at(issue.path)}: the name cannot be used${first ? `: ${first.message}` : ""}`];
  }
  if (issue.code === "invalid_union") {
    const inside = nearest(issue.errors).map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
    if (inside.length > 0) return findingsOf(inside, schema);
  }
  return [`${at(issue.path)}: ${issue.message}`];
}

/** Of the shapes that a value may have, the findings of the one that was meant: what is wrong lies within it. */
function nearest(shapes: readonly (readonly Issue[])[]): readonly Issue[] {
  const isWithin = (issues: readonly Issue[]): boolean =>
    issues.every(({ code, path }) => path.length > 0 || code === "unrecognized_keys");
  const isOfType = (issues: readonly Issue[]): boolean => issues.every(({ code }) => code !== "invalid_type");
  return shapes.find(isWithin) ?? shapes.find(isOfType) ?? shapes[0] ?? [];
}

/** The names of the fields that a place knows. */
function namesAt(schema: JsonSchema, path: readonly PropertyKey[]): string[] {
  let places = [schema];
  for (const step of path) places = places.flatMap(shapesOf).flatMap((place) => below(place, step));
  return [...new Set(places.flatMap(shapesOf).flatMap(({ properties = {} }) => Object.keys(properties)))];
}

const shapesOf = (schema: JsonSchema): JsonSchema[] => {
  const shapes = schema.anyOf ?? schema.oneOf;
  return shapes ? shapes.flatMap(shapesOf) : [schema];
};

function below(
  { properties = {}, additionalProperties, items }: JsonSchema,
  step: PropertyKey,
): JsonSchema[] {
  if (typeof step === "number")
    return Array.isArray(items) ? items.slice(step, step + 1) : items ? [items] : [];
  const named = Object.hasOwn(properties, step) ? properties[String(step)] : additionalProperties;
  return typeof named === "object" ? [named] : [];
}
