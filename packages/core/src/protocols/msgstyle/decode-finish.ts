import type { Finish } from "../../ir/index.ts";
import { type JsonObject, lookup, textOf, toObject } from "../../json/json.ts";
import { reasons } from "./finish.ts";

/** The finish in a wire record; `calls` says whether the reply held any. */
export function readFinish(record: JsonObject, calls: boolean): Finish | undefined {
  const raw = textOf(record.stop_reason);
  if (!raw) return undefined;
  const reason = lookup(reasons, raw) ?? "other";
  const sequence = textOf(record.stop_sequence);
  const details = toObject(record.stop_details);
  const note = textOf(details.explanation) ?? textOf(details.category);
  return {
    // Some servers say that the turn ended where it ended in a call; agents would stop there.
    reason: calls && (reason === "stop" || reason === "other") ? "tool_calls" : reason,
    raw,
    ...(sequence !== undefined && { sequence }),
    ...(note !== undefined && { note }),
  };
}
