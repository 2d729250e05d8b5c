import type { JsonObject } from "../content/request-content.ts";

/** Optional properties are left out from this depth on, so that recursive schemas end. */
const SHALLOW = 4;
const DEEPEST = 24;

const FORMATS: Record<string, string> = {
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  time: "03:04:05Z",
  duration: "PT1H",
  email: "someone@example.com",
  hostname: "example.com",
  uri: "https://example.com/",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "00000000-0000-4000-8000-000000000001",
};

interface Sampling {
  root: JsonObject;
  /** Values said in the conversation, such as `city: Paris`, by property name. */
  stated: (name: string) => string | undefined;
  /** Fill properties that are not required, too. */
  generous: boolean;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function resolve(schema: unknown, root: JsonObject): JsonObject {
  if (!isObject(schema)) return {};
  const ref = schema.$ref;
  if (typeof ref !== "string") return schema;
  const target = ref
    .replace(/^#\/?/, "")
    .split("/")
    .filter(Boolean)
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((node, step) => (isObject(node) ? node[step] : undefined), root);
  return isObject(target) ? target : {};
}

function typeOf(schema: JsonObject): string {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).map((type) =>
    String(type).toLowerCase(),
  );
  const type = types.find((name) => name !== "null") ?? "null";
  if (type !== "undefined") return type;
  if (schema.properties) return "object";
  if (schema.items || schema.prefixItems) return "array";
  return "string";
}

function numberFor(schema: JsonObject, whole: boolean, stated: string | undefined): number {
  const bound = (...names: string[]) =>
    names.map((name) => schema[name]).find((value) => typeof value === "number");
  const low = bound("minimum", "exclusiveMinimum");
  const high = bound("maximum", "exclusiveMaximum");
  const fits = (value: number) =>
    (low === undefined || value > low || (value === low && schema.exclusiveMinimum === undefined)) &&
    (high === undefined || value < high || (value === high && schema.exclusiveMaximum === undefined)) &&
    (typeof schema.multipleOf !== "number" || value % schema.multipleOf === 0) &&
    (!whole || Number.isInteger(value));
  const step = typeof schema.multipleOf === "number" ? schema.multipleOf : 1;
  const first = low === undefined ? 0 : Math.ceil(low / step) * step;
  const last = high === undefined ? 0 : Math.floor(high / step) * step;
  const candidates = [Number(stated ?? Number.NaN), step, first, first + step, last, last - step, 0];
  const middle = low !== undefined && high !== undefined ? [(low + high) / 2] : [];
  return [...candidates, ...middle].find((value) => !Number.isNaN(value) && fits(value)) ?? first;
}

function stringFor(schema: JsonObject, name: string, stated: string | undefined): string {
  const format = FORMATS[String(schema.format)];
  const min = Number(schema.minLength ?? 0);
  const max = Number(schema.maxLength ?? Number.POSITIVE_INFINITY);
  const text = (stated ?? format ?? `sample ${name}`.trim()).padEnd(min, "x");
  return text.length > max ? text.slice(0, max) : text;
}

function objectFor(schema: JsonObject, sampling: Sampling, depth: number): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const wanted = Object.keys(properties).filter(
    (name) =>
      required.includes(name) ||
      (depth < SHALLOW && (sampling.generous || sampling.stated(name) !== undefined)),
  );
  const names = [...new Set([...wanted, ...required])];
  return Object.fromEntries(
    names.map((name) => [name, sampleValue(properties[name], sampling, depth + 1, name)]),
  );
}

function arrayFor(schema: JsonObject, sampling: Sampling, depth: number, name: string): unknown[] {
  if (Array.isArray(schema.prefixItems))
    return schema.prefixItems.map((item) => sampleValue(item, sampling, depth + 1, name));
  const least = Number(schema.minItems ?? 0);
  const count = Math.max(least, depth < SHALLOW && Number(schema.maxItems ?? 1) > 0 ? 1 : 0);
  return Array.from({ length: count }, (_, index) => {
    const item = sampleValue(schema.items, sampling, depth + 1, name);
    return index > 0 && schema.uniqueItems && typeof item === "string" ? `${item} ${index + 1}` : item;
  });
}

function sampleValue(node: unknown, sampling: Sampling, depth: number, name: string): unknown {
  if (depth > DEEPEST) return null;
  const schema = resolve(node, sampling.root);
  const stated = sampling.stated(name);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum))
    return schema.enum.find((value) => stated !== undefined && String(value) === stated) ?? schema.enum[0];
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema;
    const members = [rest, ...allOf.map((member) => resolve(member, sampling.root))];
    const merged = Object.assign({}, ...members) as JsonObject;
    merged.properties = Object.assign({}, ...members.map((member) => member.properties));
    merged.required = members.flatMap((member) => (Array.isArray(member.required) ? member.required : []));
    return sampleValue(merged, sampling, depth + 1, name);
  }
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (branches) {
    const solid = branches.find((branch) => typeOf(resolve(branch, sampling.root)) !== "null");
    const end = branches.at(-1);
    return sampleValue(depth < SHALLOW ? (solid ?? end) : end, sampling, depth + 1, name);
  }
  switch (typeOf(schema)) {
    case "object":
      return objectFor(schema, sampling, depth);
    case "array":
      return arrayFor(schema, sampling, depth, name);
    case "number":
    case "integer":
      return numberFor(schema, typeOf(schema) === "integer", stated);
    case "boolean":
      return stated !== undefined ? stated === "true" : true;
    case "null":
      return null;
    default:
      return stringFor(schema, name, stated);
  }
}

/** The n-th value (from 0) that a text gives a name, as in `city: Paris` or `city = "New York"`; else its last. */
function statedIn(text: string, nth: number): Sampling["stated"] {
  return (name) => {
    if (name === "") return undefined;
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const pattern = new RegExp(`(?<![\\w])${escaped}\\s*[:=]\\s*(?:"([^"]*)"|([^\\s,;.!?]+))`, "g");
    const values = [...text.matchAll(pattern)].map((match) => match[1] ?? match[2]);
    return values[nth] ?? values.at(-1);
  };
}

/**
 * A value that satisfies a JSON schema (either dialect, types in any case), the same one each time. Values named
 * in `text` are taken up; `nth` picks among several, and `generous` fills optional properties as well.
 */
export function sample(
  schema: JsonObject,
  { text = "", nth = 0, generous = false }: { text?: string; nth?: number; generous?: boolean } = {},
): unknown {
  return sampleValue(schema, { root: schema, stated: statedIn(text, nth), generous }, 0, "");
}
