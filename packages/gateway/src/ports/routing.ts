import type {
  CallRouting,
  CircuitBreakers,
  CredentialHealth,
  LearntTraits,
  ProviderLimiter,
} from "@manifold-gateway/providers/routing";

export type {
  Attempt,
  CircuitBreakers,
  CircuitState,
  CredentialChoice,
  CredentialHealth,
  CredentialPool,
  EntryHealth,
  Learnt,
  LearntTraits,
  Lesson,
  Load,
  ProviderLimiter,
} from "@manifold-gateway/providers/routing";

/** The name and the health of a credential of a provider that has several. */
export interface ProviderCredential extends CredentialHealth {
  provider: string;
  credential: string;
}

/** The state of routing, in this process. */
export interface Routing extends CallRouting {
  breakers: CircuitBreakers;
  limiter: ProviderLimiter;
  affinity: SessionAffinity;
  /** Absent: refusals are not learnt from. */
  learnt?: LearntTraits;
}

/** The entry that served a conversation, and its credential if the provider has several. */
export interface Served {
  entry: string;
  credential?: string;
}

/** The entries that served conversations, by a hash of each conversation's beginning. */
export interface SessionAffinity {
  get(key: string): Served | undefined;
  set(key: string, served: Served): void;
}
