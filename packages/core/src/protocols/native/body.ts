import { isObject, type Json, type JsonObject, put } from "../../json.ts";
import type { Body } from "./schema.ts";

/** The whole answer as the one piece that it is. */
export const burst = (body: Json): Json[] => [body];

/** Pieces as one: text grows, and of anything else the last value counts. */
export function gather(chunks: Iterable<Json | object>): Body {
  const body: JsonObject = {};
  for (const chunk of chunks as Iterable<Json>) {
    if (!isObject(chunk)) continue;
    for (const key of Object.keys(chunk)) {
      const value = chunk[key] as Json;
      const grows = key === "delta" && typeof body.delta === "string" && typeof value === "string";
      put(body, key, grows ? `${body.delta}${value}` : value);
    }
  }
  return body as unknown as Body;
}
