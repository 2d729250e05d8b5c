import { isObject, type Json, type JsonObject, put } from "../../json/json.ts";
import type { Body } from "./schema.ts";

/** Pieces as one: text and lists grow, and of anything else the last value counts. */
export function gather(chunks: Iterable<Json | object>): Body {
  const body: JsonObject = {};
  for (const chunk of chunks as Iterable<Json>) {
    if (!isObject(chunk)) continue;
    for (const key of Object.keys(chunk)) {
      const value = chunk[key] as Json;
      put(body, key, grown(body[key], value, key));
    }
  }
  return body as unknown as Body;
}

function grown(before: Json | undefined, value: Json, key: string): Json {
  if (key === "delta" && typeof before === "string" && typeof value === "string") return before + value;
  if (key === "reasoning" && before !== undefined) return thoughts([before].flat(), value);
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}

/** An empty thought begins another. */
function thoughts(before: Json[], value: Json): Json {
  if (value === "") return [...before, ""];
  const all = [...before.slice(0, -1), `${before.at(-1)}${value}`];
  return all.length > 1 ? all : (all[0] as Json);
}
