import { type Ask, type Issue, isRefused } from "../capability/ask.ts";
import { check } from "../capability/check.ts";
import { fieldOf } from "../capability/message-text.ts";
import type { Capabilities } from "../capability/schema.ts";
import { type Candidate, suggest } from "../capability/suggest-model.ts";
import { type Findings, noFindings } from "./capability-check.ts";
import { Rejection } from "./rejection.ts";

/**
 * Compares a request with the capabilities of its model. A rejection suggests one of the other models that accepts the
 * request; they are listed only then.
 */
export function findingsFor(
  capabilities: Capabilities | undefined,
  ask: Ask,
  others: () => Iterable<Candidate> = () => [],
): Findings | Rejection {
  const issues = check(capabilities, ask);
  if (issues.length === 0) return noFindings;
  return findingsOf(isRefused(issues) ? suggest(issues, others(), ask) : issues);
}

/** The findings of a check, or a rejection with all issues that refuse the request. */
export function findingsOf(issues: readonly Issue[]): Findings | Rejection {
  const refused = issues.filter(({ effect }) => effect === "refuse");
  const [first] = refused;
  if (first)
    return new Rejection(
      first.code,
      refused.map(({ message }) => message),
      { param: fieldOf(first.path) },
    );
  return {
    issues,
    losses: issues
      .filter(({ effect, neutral }) => effect === "drop" && !neutral)
      .map(({ path }) => ({ path, why: "unsupported", detail: "the model does not support it" })),
    notes: issues.filter(({ effect }) => effect === "note"),
  };
}
