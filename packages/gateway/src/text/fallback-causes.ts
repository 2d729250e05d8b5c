import type { FallbackCause } from "../ports/catalog.ts";

const causes: Record<FallbackCause, true> = {
  unavailable: true,
  rate_limited: true,
  filtered: true,
  context: true,
  budget: true,
};

/** The failures after which another model may answer a request. */
export const FALLBACK_CAUSES = Object.keys(causes) as readonly FallbackCause[];
