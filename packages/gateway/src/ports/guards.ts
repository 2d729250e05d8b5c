/** What a guard checks: what goes to a provider, what comes from one, or both. */
export type GuardPhase = "request" | "reply";

/** An address of the operator that allows, masks or refuses the texts of requests and replies. */
export interface Guard {
  /** A name for records, headers, logs and metrics. */
  id: string;
  /** The operator chose it, so it may be a private address. Redirects are not followed. */
  url: string;
  /** Secrets, `whsec_…`, with each of which a call is signed. */
  secrets: readonly string[];
  phases: readonly GuardPhase[];
  /** The ids of the accounts whose requests it checks. Absent: all. */
  accounts?: readonly string[];
  /** The longest wait for its answer, in milliseconds. */
  timeout: number;
  /** What happens without an answer: the request is refused, or goes on unchecked. */
  onFailure: "refuse" | "allow";
}

/** A text for a guard. */
export interface GuardedText {
  /** A JSON pointer into the body, or for a stream the number of the part, a slash and the number in the question. */
  place: string;
  text: string;
}

/** What a guard decided about the texts of one phase. `unanswered`: it gave no answer that can be read. */
export interface GuardDecision {
  guard: string;
  phase: GuardPhase;
  decision: "allowed" | "masked" | "refused" | "unanswered";
  /** The guard's own words. */
  reason?: string;
  /** Texts that it changed. */
  masked?: number;
  /** Milliseconds that it took; of a stream the sum. */
  ms: number;
}
