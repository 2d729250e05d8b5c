import type { Json, JsonObject } from "@manifold-gateway/core/codec";

/** Where the numbers of a report stand. */
export function placesOf(report: Json, path: string[] = []): string[][] {
  if (typeof report === "number") return [path];
  if (typeof report !== "object" || report === null) return [];
  return Object.entries(report).flatMap(([key, value]) => placesOf(value, [...path, key]));
}

/** The report with another value in that place; with `undefined`, without any. */
export function withFigure(report: JsonObject, path: string[], value: Json | undefined): JsonObject {
  const copy = structuredClone(report);
  let node: JsonObject = copy;
  for (const key of path.slice(0, -1)) node = node[key] as JsonObject;
  const last = path.at(-1) as string;
  if (value === undefined) delete node[last];
  else node[last] = value;
  return copy;
}
