import type { LineReply } from "./send-line.ts";

/**
 * What becomes of a line after an answer: it has ended, it is tried again, or its whole batch waits, because the key has
 * nothing left of its limits or the service cannot serve at the moment. `later`: it alone waits, since its model is not
 * called at the moment. `crowded`: it waits, and then has fewer lines run at the same time.
 */
export type Verdict = "end" | "retry" | "wait" | "later" | "crowded";

/** Refusals that are about the moment and not about the line. */
const MOMENTARY: ReadonlySet<string> = new Set([
  ...["too_many_requests", "too_many_tokens", "too_many_bytes"],
  ...["server_busy", "shutting_down", "database_unavailable", "files_unavailable", "guard_unavailable"],
]);

const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);

/** Judges an answer that costs something or not. What was charged is never tried again. */
export function judge({ status, code, isFinal }: LineReply, cost: number): Verdict {
  if (cost > 0) return "end";
  if (code === "too_many_concurrent_requests") return "crowded";
  if (code === "provider_unavailable") return "later";
  if (code !== undefined && MOMENTARY.has(code)) return "wait";
  return PASSING.has(status) && !isFinal && code !== "internal_error" ? "retry" : "end";
}
