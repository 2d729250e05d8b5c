import { isObject, type Json, type JsonObject } from "../../json/json.ts";

/** An object with every key spelled the other way. */
export function respell(value: JsonObject, spell: (key: string) => string): JsonObject {
  const inner = (json: Json): Json => (isObject(json) ? respell(json, spell) : json);
  return Object.fromEntries(Object.entries(value).map(([key, json]) => [spell(key), inner(json)]));
}
