import type { Store } from "@manifold-gateway/store";
import type { Answer } from "../ports/context.ts";

/** The header of answers that come from a replica: how many seconds it is behind, at most. */
export function delayHeaders({ reader }: Pick<Store, "reader">): Record<string, string> {
  const delay = reader?.delayMs();
  return delay === undefined ? {} : { "x-report-delay": (delay / 1_000).toFixed(1) };
}

export const withDelay = (answer: Answer, store: Pick<Store, "reader">): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...delayHeaders(store) },
});
