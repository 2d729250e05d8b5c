import type { Loss } from "@manifold-gateway/core";
import {
  type Ask,
  type Capabilities,
  check,
  type Issue,
  isRefused,
  suggest,
} from "@manifold-gateway/core/capability";
import { defaultEntry } from "../catalog/catalog.ts";
import { fieldOf } from "../http/refusal.ts";
import type { Catalog } from "../ports/catalog.ts";
import { inHeader } from "./losses.ts";
import { EntryRejected } from "./queue.ts";

/** Findings that do not refuse the request. */
export interface Findings {
  issues: readonly Issue[];
  /** Members that the model does not accept and that are left out. */
  losses: readonly Loss[];
  /** Likely mistakes. */
  hints: readonly string[];
}

export const noFindings: Findings = { issues: [], losses: [], hints: [] };

/**
 * Compares a request with the capabilities of the entry's model. A refusal suggests a model of the catalog that makes
 * the same output and accepts the request.
 */
export function checkCapabilities(
  capabilities: Capabilities | undefined,
  ask: Ask,
  { catalog, makes }: { catalog: Catalog | undefined; makes: string },
): Findings {
  const issues = check(capabilities, ask);
  if (issues.length === 0) return noFindings;
  return findingsOf(isRefused(issues) ? suggest(issues, modelsThatMake(makes, catalog), ask) : issues);
}

/** The findings of a check. Throws a 400 with all issues that refuse the request. */
export function findingsOf(issues: readonly Issue[]): Findings {
  const refused = issues.filter(({ effect }) => effect === "refuse");
  const [first] = refused;
  if (first)
    throw new EntryRejected(
      "refused",
      first.code,
      refused.map(({ message }) => message),
      { param: fieldOf(first.path) },
    );
  return {
    issues,
    losses: issues
      .filter(({ effect }) => effect === "drop")
      .map(({ path }) => ({ path, why: "unsupported", detail: "the model does not support it" })),
    hints: issues
      .filter(({ effect }) => effect === "note")
      .map(({ path, hint }) => `${inHeader(path)}${hint === undefined ? "" : `;meant=${inHeader(hint)}`}`),
  };
}

/** The models that a refusal may suggest instead. */
function* modelsThatMake(modality: string, catalog: Catalog | undefined) {
  for (const model of catalog?.list() ?? []) {
    const entry = model.isActive && model.outputModalities.includes(modality) && defaultEntry(model);
    if (entry) yield { id: model.id, capabilities: entry.capabilities };
  }
}
