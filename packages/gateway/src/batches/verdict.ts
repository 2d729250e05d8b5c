import type { LineReply } from "./send-line.ts";

/**
 * The consequence of an answer for its line. `end`: the line has ended. `retry`: it is tried again. `wait`: the whole
 * batch waits, because a limit of the key is reached or the service cannot serve now. `later`: only this line waits,
 * because its model cannot be called now. `crowded`: it waits, and fewer lines run at the same time from then on.
 */
export type Verdict = "end" | "retry" | "wait" | "later" | "crowded";

/** Refusals whose cause is temporary and not the line. */
const MOMENTARY: ReadonlySet<string> = new Set([
  ...["too_many_requests", "too_many_tokens", "too_many_bytes"],
  ...["server_busy", "shutting_down", "database_unavailable", "files_unavailable", "guard_unavailable"],
]);

const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);

/** Judges an answer by its status, its code and its cost. A line that was charged is never tried again. */
export function judge({ status, code, isFinal }: LineReply, cost: number): Verdict {
  if (cost > 0) return "end";
  if (code === "too_many_concurrent_requests") return "crowded";
  if (code === "provider_unavailable") return "later";
  if (code !== undefined && MOMENTARY.has(code)) return "wait";
  return PASSING.has(status) && !isFinal && code !== "internal_error" ? "retry" : "end";
}
