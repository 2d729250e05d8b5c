import { presets } from "@manifold-gateway/providers";
import type { Finding } from "./discovery.ts";

/** The most names in a line; further ones are only counted. */
const SHOWN = 10;

/** Describes the findings of each provider that the environment activates, one sentence for each. */
export const describeFindings = (findings: readonly Finding[]): string[] =>
  findings.map(({ provider: { id, origin }, models, fault }) => {
    if (fault !== undefined) return fault;
    const name = `${presets[id]?.name ?? id} at ${origin}`;
    if (!models || models.length === 0) return `${name} serves no models yet.`;
    const more = models.length > SHOWN ? ` and ${models.length - SHOWN} more` : "";
    return `${name}: ${models.slice(0, SHOWN).join(", ")}${more}.`;
  });

/** Checks whether any provider serves anything. */
export const isServed = (findings: readonly Finding[]): boolean =>
  findings.some(({ models = [] }) => models.length > 0);
