import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
} from "../../json/json.ts";
import type { Body, Chunk } from "./schema.ts";

/** Ends of a reply, by the status of it. */
const ends = new Set(["completed", "incomplete", "failed", "cancelled"]);

/** A whole reply is one chunk: the one that would have ended its stream. */
export function burst(body: Json): Json[] {
  if (!isObject(body)) return [];
  if (body.object !== "response" && body.output === undefined) return [body];
  const reported = textOf(body.status) ?? (isObject(body.error) ? "failed" : "completed");
  // A reply with content counts as complete, whatever its status says.
  const status = ends.has(reported)
    ? reported
    : toArray(body.output).length > 0
      ? "completed"
      : "in_progress";
  return [{ type: `response.${status}`, response: body }];
}

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
