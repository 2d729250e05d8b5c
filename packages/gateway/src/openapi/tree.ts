import { isObject, type Json, toArray, toObject } from "@manifold-gateway/core/codec";
import { plain, prose } from "./text.ts";

const ALTERNATIVES = ["allOf", "anyOf", "oneOf"] as const;
/** Keywords of constraints to show. */
const BOUNDS = [
  "format",
  "const",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "default",
];

/** Renders a JSON Schema as nested lists. References become links. */
export function schemaTree(schema: Json | undefined): string {
  if (!isObject(schema)) return "";
  const ref = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref ?? ""))?.[1];
  if (ref !== undefined) return `<a href="#schema-${ref}">${ref}</a> `;
  const bounds = BOUNDS.filter((name) => schema[name] !== undefined).map(
    (name) => `${name} ${JSON.stringify(schema[name])}`,
  );
  const enumerated = toArray(schema.enum).map((value) => JSON.stringify(value));
  const about = [typeOf(schema.type), enumerated.join(" | "), ...bounds].filter(Boolean).join(", ");
  return `<span class="dim">${plain(about)}</span> ${prose(schema.description)}${alternatives(schema)}${members(schema)}${items(schema)}`;
}

const typeOf = (type: Json | undefined): string =>
  Array.isArray(type) ? type.join(" | ") : String(type ?? "");

function alternatives(schema: Record<string, Json>): string {
  return ALTERNATIVES.flatMap((name) => {
    const list = toArray(schema[name]);
    if (list.length === 0) return [];
    const rows = list.map((one) => `<li>${schemaTree(one)}</li>`).join("");
    return [`<div class="dim">${name}</div><ul class="tree">${rows}</ul>`];
  }).join("");
}

function members({ properties, required }: Record<string, Json>): string {
  const rows = Object.entries(toObject(properties)).map(([name, schema]) => {
    const must = toArray(required).includes(name) ? ' <span class="method">required</span>' : "";
    return `<li><code>${plain(name)}</code>${must} ${schemaTree(schema)}</li>`;
  });
  return rows.length > 0 ? `<ul class="tree">${rows.join("")}</ul>` : "";
}

const items = ({ items: schema }: Record<string, Json>): string =>
  isObject(schema) ? `<ul class="tree"><li>each: ${schemaTree(schema)}</li></ul>` : "";
