import { isObject, type Json, type JsonObject, numberOf, toArray, toObject } from "../../json/json.ts";
import type { Body, Chunk } from "./schema.ts";

/** The last response of the chunks, with the items that its own list left out. */
export function gather(chunks: Iterable<Chunk | Json>): Body {
  const items = new Map<number, Json>();
  let response: JsonObject | undefined;
  let failure: JsonObject | undefined;
  for (const json of chunks) {
    const chunk = toObject(json);
    if (isObject(chunk.response)) response = chunk.response;
    else if (chunk.type === "response.output_item.done")
      items.set(numberOf(chunk.output_index) ?? items.size, toObject(chunk.item));
    else if (chunk.type === "error" || chunk.error) failure = chunk;
  }
  if (failure) return failed(response, failure);
  const body = { ...response };
  if (items.size > 0 && toArray(body.output).length === 0)
    body.output = [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
  return body as unknown as Body;
}

/** A reply that ended in an error. An error that came alone stays as it is. */
function failed(response: JsonObject | undefined, failure: JsonObject): Body {
  if (!response) return failure as unknown as Body;
  const { code, message } = isObject(failure.error) ? failure.error : failure;
  const error = { code: code ?? "server_error", message: message ?? "" };
  return { ...response, status: "failed", error } as unknown as Body;
}
