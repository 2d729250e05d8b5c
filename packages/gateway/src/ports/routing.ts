import type { Credential, Provider } from "@manifold-gateway/providers";
import type { LearntTraits } from "@manifold-gateway/providers/routing";

export type { Learnt, LearntTraits, Lesson } from "@manifold-gateway/providers/routing";

/** `half-open`: one request is let through, and its outcome opens or closes the circuit. */
export type CircuitState = "closed" | "open" | "half-open";

/** Frees the slot of a request; further calls do nothing. */
export type Release = () => void;

/** Limits the running requests of each provider, in this process. */
export interface ProviderLimiter {
  /**
   * Resolves when a slot is free; undefined if the provider has no limit. Rejects with `ProviderBusy` after the provider's limit
   * on waiting.
   */
  enter(provider: Provider): Release | Promise<Release> | undefined;
  /** The running and waiting requests of each limited provider that has been called. */
  all(): ReadonlyMap<string, Load>;
}

/** The load of a provider in this process. */
export interface Load {
  running: number;
  waiting: number;
}

/** The health of an entry. */
export interface EntryHealth {
  circuit: CircuitState;
  /** The number of failures since the last success. */
  failures: number;
  /** The number of accounts for which alone the circuit is open. */
  openAccounts?: number;
  /** When an open circuit lets a request through again, in milliseconds since the epoch. */
  until?: number;
  /** The end of a pause that the provider requested. */
  coolingUntil?: number;
  /** Milliseconds to the first byte, averaged over recent answers. */
  latency?: number;
  /** Output tokens per second, averaged over recent answers. */
  throughput?: number;
}

/**
 * The circuit breakers of all entries, by id. Most failures can be caused by a request as well as by a provider, so
 * they count for the caller first: an entry has a circuit for each account that fails there, and a common one, which
 * opens only when several accounts fail and no other was served lately.
 *
 * They decide at once and by the given clock: requests are not wrapped, and no request waits for another's probe.
 * Published circuit breakers run the call themselves, by timers or a clock of their own; they cannot be consulted
 * beforehand, nor let a second request go elsewhere during a probe.
 */
export interface CircuitBreakers {
  /** The circuit for an account. Absent: there were no failures. */
  of(id: string, account: string): EntryHealth | undefined;
  /** Whether the entry's circuit is open for an account: no request is let through. */
  isOpen(id: string, account: string): boolean;
  /** The state of the common circuits. */
  all(): ReadonlyMap<string, EntryHealth>;
  /** Begins a request at the entry. False if its circuit is open, or if another request is probing it. */
  enter(id: string, account: string): boolean;
  /** The head of an answer arrived after this many milliseconds, which closes an open circuit. */
  answered(id: string, account: string, latency: number): void;
  /** A whole answer arrived, with this many tokens in this many milliseconds. */
  completed(id: string, account: string, tokens: number, ms: number): void;
  failed(id: string, account: string): void;
  /** The request shows neither a failure nor a success: it was refused, or its client left. */
  inconclusive(id: string, account: string): void;
  /** The entry requested a pause. */
  cool(id: string, seconds: number): void;
  /** Closes all circuits of the entry and ends its pause. Its measured speed stays. */
  reset(id: string): void;
}

/** The credentials of one provider that a request may use. */
export interface CredentialChoice {
  credentials: readonly Credential[];
  /** The key of credential affinity: the conversation, if there is one. Equal keys get the same credential. */
  identity(): string;
  /** The name of the credential to use if it is healthy. */
  preferred?: string | undefined;
}

/** `denied`: the provider refused it. `cooling`: it is in a pause that the provider requested. */
export interface CredentialHealth {
  state: "ready" | "denied" | "cooling";
  /** When the credential is tried again, in milliseconds since the epoch. */
  until?: number;
  /** The status of the refusal. */
  status?: number;
}

/** The name and the health of a credential of a provider that has several. */
export interface ProviderCredential extends CredentialHealth {
  provider: string;
  credential: string;
}

/** The health of the credentials of providers that have several, in this process. */
export interface CredentialPool {
  of(credential: Credential): CredentialHealth;
  /** The number of calls that it was picked for. */
  callsOf(credential: Credential): number;
  /**
   * Picks the credential for a call by the identity, healthy credentials first. If others were `tried`, picks a
   * healthy one or none.
   */
  pick(choice: CredentialChoice, tried?: readonly Credential[]): Credential | undefined;
  /** The credential that `pick` would choose now, without counting a call. */
  peek(choice: CredentialChoice): Credential | undefined;
  /** Milliseconds until the first of the credentials is tried again; 0 if one is healthy. */
  pauseOf(credentials: readonly Credential[]): number;
  accepted(provider: string, credential: Credential): void;
  denied(provider: string, credential: Credential, status: number): void;
  /** The provider requested a pause; `seconds` is absent if it did not say how long. */
  cool(credential: Credential, seconds: number | undefined): void;
}

/** The state of routing, in this process. */
export interface Routing {
  breakers: CircuitBreakers;
  credentials: CredentialPool;
  limiter: ProviderLimiter;
  affinity: SessionAffinity;
  /** Absent: refusals are not learnt from. */
  learnt?: LearntTraits;
  maxAttempts: number;
  retryAmbiguousFailures: boolean;
  maxRetryAfterWait: number;
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

/** One call to an entry. */
export interface Attempt {
  entry: string;
  provider: string;
  /** The name of the credential, where the provider has several. */
  credential?: string;
  /** The status of the answer. */
  status?: number;
  /** Why there was no answer. */
  fault?: string;
  /** Milliseconds to the head of the answer. */
  ms: number;
  /** The provider may have charged the call although it failed. */
  perhapsCharged?: true;
}
