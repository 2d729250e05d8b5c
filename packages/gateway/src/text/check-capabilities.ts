import type { Edits, Loss } from "@manifold-gateway/core";
import { askOf, check, type Issue, isRefused, suggest } from "@manifold-gateway/core/capability";
import { isObject, type Json } from "@manifold-gateway/core/codec";
import { defaultEntry } from "../catalog/catalog.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Resolution } from "../routing/candidate.ts";
import { inHeader } from "../routing/losses.ts";
import { EntryRejected } from "../routing/queue.ts";
import type { DecodedRequest } from "./decode-request.ts";
import { capabilitiesOf } from "./entry-capabilities.ts";

/** Findings that do not refuse the request. */
export interface Findings {
  issues: readonly Issue[];
  /** Members that the model does not accept and that are left out. */
  losses: Loss[];
  /** Likely mistakes. */
  hints: string[];
}

export const noFindings: Findings = { issues: [], losses: [], hints: [] };

/**
 * Compares a request with what the entry's model accepts. A refusal suggests a model of the catalog that accepts it.
 */
export function judgeText(to: Resolution, reading: DecodedRequest, catalog: Catalog | undefined): Findings {
  const ask = askOf(reading.request, reading.caller);
  const issues = check(capabilitiesOf(to), ask);
  if (issues.length === 0) return noFindings;
  if (isRefused(issues)) throw refusal(suggest(issues, textModels(catalog), ask));
  return findingsOf(issues);
}

/** The 400 for findings that refuse the request. */
export function refusal(issues: readonly Issue[]): EntryRejected {
  const refused = issues.filter(({ effect }) => effect === "refuse");
  const { code, path } = refused[0] as Issue;
  return new EntryRejected(
    "refused",
    code,
    refused.map(({ message }) => message),
    { param: path.slice(1).replaceAll("/", ".") },
  );
}

export const findingsOf = (issues: readonly Issue[]): Findings => ({
  issues,
  losses: issues
    .filter(({ effect }) => effect === "drop")
    .map(({ path }) => ({ path, why: "unsupported", detail: "the model does not support it" })),
  hints: issues
    .filter(({ effect }) => effect === "note")
    .map(({ path, hint }) => `${inHeader(path)}${hint === undefined ? "" : `;meant=${inHeader(hint)}`}`),
});

/** The models that a refusal may suggest instead. */
function* textModels(catalog: Catalog | undefined) {
  for (const model of catalog?.list() ?? []) {
    const entry = model.isActive && model.outputModalities.includes("text") && defaultEntry(model);
    if (entry) yield { id: model.id, capabilities: entry.capabilities };
  }
}

/** Edits that remove fields from a body that is otherwise forwarded unchanged. */
export function dropEdits(value: Readonly<Record<string, Json>>, losses: readonly Loss[]): Edits {
  const edits: Edits = {};
  for (const { path } of losses) {
    const [name = "", ...below] = path.slice(1).split("/");
    if (below.length === 0) edits[name] = undefined;
    else {
      const whole = Object.hasOwn(edits, name) ? edits[name] : value[name];
      if (isObject(whole)) edits[name] = without(whole, below);
    }
  }
  return edits;
}

/** Removes a member at a path, and the objects that become empty. */
function without(node: Json, [key = "", ...below]: readonly string[]): Json | undefined {
  if (!isObject(node)) return node;
  const { [key]: inner, ...rest } = node;
  const left = below.length === 0 || inner === undefined ? undefined : without(inner, below);
  if (left !== undefined) return { ...rest, [key]: left };
  return Object.keys(rest).length > 0 ? rest : undefined;
}
