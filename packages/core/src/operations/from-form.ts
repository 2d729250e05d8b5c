import { isObject, type Json, type JsonObject, parseJson, put } from "../json/json.ts";
import type { Node, ObjectNode } from "../schema/node.ts";
import type { Validator } from "../schema/validator.ts";

const toNumber = (text: string): Json => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);

/** A text of a form as a value of a schema; the text itself if it cannot be one, which the schema refuses. */
function typed(value: Json, node: Node | undefined): Json {
  switch (node?.kind) {
    case "array":
      return (Array.isArray(value) ? value : [value]).map((item) => typed(item, node.items));
    case "number":
      return typeof value === "string" ? toNumber(value.trim()) : value;
    case "boolean":
      // Some clients write them as their language prints them.
      return typeof value === "string" && /^(true|false)$/i.test(value) ? /^t/i.test(value) : value;
    case "union":
    case "record":
      return typeof value === "string" ? objectIn(value) : membersOf(value);
    default:
      return value;
  }
}

/** An object may be a field with its JSON text. */
function objectIn(text: string): Json {
  const parsed = text.trimStart().startsWith("{") ? parseJson(text) : undefined;
  return isObject(parsed) ? parsed : text;
}

/** An object whose members are fields of their own, `a[b]`: nothing is known of their types. */
function membersOf(value: Json): Json {
  if (!isObject(value)) return value;
  const members: JsonObject = {};
  for (const [name, text] of Object.entries(value))
    put(members, name, typeof text === "string" ? toNumber(text.trim()) : text);
  return members;
}

/** The fields of a form that are lists in the schema of its wire. */
export const listFieldsOf = (schema: Validator<unknown>): ReadonlySet<string> =>
  new Set(
    Object.entries((schema as { node?: ObjectNode }).node?.members ?? {}).flatMap(([name, { kind }]) =>
      kind === "array" ? [name] : [],
    ),
  );

/** The request in the fields of a form, which are all texts, with the types that the schema of its wire has. */
export function fromForm(fields: JsonObject, schema: Validator<unknown>): JsonObject {
  const { node } = schema as { node?: ObjectNode };
  const request: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) put(request, name, typed(value, node?.members[name]));
  return request;
}
