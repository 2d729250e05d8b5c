import type { Loss } from "@manifold-gateway/core";
import type { Issue } from "@manifold-gateway/core/capability";
import { findingsOf as libraryFindings } from "@manifold-gateway/core/check";
import { defaultEntry } from "../catalog/catalog.ts";
import type { Catalog } from "../ports/catalog.ts";
import { accepted } from "./accepted.ts";
import { inHeader } from "./losses.ts";

/** Findings that do not refuse the request. */
export interface Findings {
  issues: readonly Issue[];
  /** Members that the model does not accept and that are left out. */
  losses: readonly Loss[];
  /** Likely mistakes. */
  hints: readonly string[];
}

/** The findings of a check. Throws a 400 with all issues that refuse the request. */
export function findingsOf(issues: readonly Issue[]): Findings {
  const { notes, ...findings } = accepted(libraryFindings(issues));
  return { ...findings, hints: notes.map(toHint) };
}

/** A likely mistake, as text for a header. */
export const toHint = ({ path, hint }: Issue): string =>
  `${inHeader(path)}${hint === undefined ? "" : `;meant=${inHeader(hint)}`}`;

/** The models that a refusal may suggest instead. */
export function* modelsThatMake(modality: string, catalog: Catalog | undefined) {
  for (const model of catalog?.list() ?? []) {
    const entry = model.isActive && model.outputModalities.includes(modality) && defaultEntry(model);
    if (entry) yield { id: model.id, capabilities: entry.capabilities };
  }
}
