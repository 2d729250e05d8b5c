import {
  type CircuitOptions,
  circuitDefaults,
  createCircuitBreakers,
  createCredentialPool,
  createLearntTraits,
  createProviderLimiter,
} from "@manifold-gateway/providers/routing";
import { withDefaults } from "../check-options.ts";
import type { Routing } from "../ports/routing.ts";
import { createSessionAffinity } from "./session-affinity.ts";

/** Settings for the choice of entries and for failures. */
export interface RoutingOptions {
  /** The most calls to providers for one request. Default 3. */
  attempts: number;
  /**
   * Whether to call another entry after a failure for which the provider may have generated, and charged for,
   * something; the record then says that both may have been charged. If not, the caller gets the failure. Default: no.
   */
  retryAmbiguousFailures: boolean;
  /** The longest pause before the last entry is called again, in milliseconds; 0: it is not. Default: 1,000. */
  maxRetryAfterWait: number;
  /**
   * Whether a request that was translated, and that a provider refuses because of its form, is adapted to the refusal
   * and sent once more. Later requests to the model are adapted for a day. Default: yes.
   */
  learnFromRefusals: boolean;
  /** When circuits open and how long they stay open; members that differ from the defaults. */
  circuit: Partial<CircuitOptions>;
}

export function createRouting(
  options: Partial<RoutingOptions>,
  now: () => number,
  changed?: Parameters<typeof createCircuitBreakers>[2],
  credentialChanged?: Parameters<typeof createCredentialPool>[2],
): Routing {
  const circuit = withDefaults(circuitDefaults, options.circuit);
  return {
    breakers: createCircuitBreakers(circuit, now, changed),
    credentials: createCredentialPool(circuit, now, credentialChanged),
    limiter: createProviderLimiter(),
    affinity: createSessionAffinity(),
    ...(options.learnFromRefusals !== false && { learnt: createLearntTraits(now) }),
    maxAttempts: options.attempts ?? 3,
    retryAmbiguousFailures: options.retryAmbiguousFailures ?? false,
    maxRetryAfterWait: options.maxRetryAfterWait ?? 1_000,
  };
}
