import type { Route } from "@manifold-gateway/gateway";
import { z } from "zod";
import { rows, targetOf } from "./routes.ts";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Members that code written for honest values may call, compare or look up. */
export const NAMES = [
  "length",
  "toString",
  "valueOf",
  "then",
  "constructor",
  "__proto__",
  "toJSON",
  "size",
  "type",
];

/** An object of JSON; `__proto__` is a member like any other. */
export const objectOf = (entries: [string, Json][]): Json => {
  const object: { [name: string]: Json } = {};
  for (const [name, value] of entries)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
};

export type Place = (string | number)[];

/** The value with another at a place of it. */
export function withAt(value: Json | undefined, [head, ...rest]: Place, other: Json): Json {
  if (head === undefined) return other;
  if (Array.isArray(value)) return value.map((item, i) => (i === head ? withAt(item, rest, other) : item));
  const entries = Object.entries((value ?? {}) as { [name: string]: Json });
  const kept = entries.filter(([name]) => name !== head);
  const before = entries.find(([name]) => name === head)?.[1];
  return objectOf([...kept, [String(head), withAt(before, rest, other)]]);
}

/** Every place in a value, itself included. */
export const placesIn = (value: Json, at: Place = []): Place[] => [
  at,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) =>
        placesIn(inner, [...at, Array.isArray(value) ? Number(name) : name]),
      )
    : []),
];

/** The names of all members that a JSON Schema speaks of. */
function namesIn(schema: unknown, names = new Set<string>()): Set<string> {
  if (typeof schema !== "object" || schema === null) return names;
  for (const name of Object.keys((schema as { properties?: object }).properties ?? {})) names.add(name);
  for (const inner of Object.values(schema)) namesIn(inner, names);
  return names;
}

export interface Subject {
  name: string;
  path: string;
  route: Route;
  /** What honest callers send. */
  bodies: Json[];
  /** The members of the body itself. */
  own: string[];
  /** The members of the body at any depth. */
  members: string[];
}

const toSubject = ({ route, path }: (typeof rows)[number]): Subject => {
  const schemas = [route.body, route.wire].flatMap((schema) =>
    schema ? [z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })] : [],
  );
  const examples = Object.values(route.examples ?? {}).flatMap(({ body }) => (body ? [body as Json] : []));
  // Without a limit of the model's own, figures reach the arithmetic.
  const bare = examples.flatMap((body) => {
    const { model } = body as { model?: string };
    return model !== undefined && /image|video/.test(model) ? [withAt(body, ["model"], `bare-${model}`)] : [];
  });
  return {
    name: `${route.method} ${path}`,
    path,
    route,
    bodies: [...bare, ...examples, {}],
    own: [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))],
    members: [...schemas.reduce((names, schema) => namesIn(schema, names), new Set(NAMES))],
  };
};
/** Every row of every surface, with what honest callers send to it. */
export const subjects = rows.map(toSubject);

/** Where a row is asked, as its example does, and never for the key that asks. */
export const targetsOf = ({ route, path }: Subject): string => {
  const example = Object.values(route.examples ?? {})[0] ?? {};
  const params = { ...example.params, ...(route.access === "session" && { keyId: "other" }) };
  return targetOf(path, { ...example, params });
};
