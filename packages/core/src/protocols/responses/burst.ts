import { isObject, type Json, textOf, toArray } from "../../json/json.ts";

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
