import type { Credential, Provider } from "@manifold-gateway/providers";

/** `half-open`: one request is let through, and its outcome decides. */
export type CircuitState = "closed" | "open" | "half-open";

/** Lets the place of a request go; later calls do nothing. */
export type Release = () => void;

/** Limits the requests that run at each provider, in this process. */
export interface ProviderLimiter {
  /** Resolves when there is room; rejects with `Busy` after the provider's own limit on waiting. */
  enter(provider: Provider): Release | Promise<Release>;
  /** The requests that run and that wait, at each provider with a limit that has been called. */
  all(): ReadonlyMap<string, Load>;
}

/** The load of a provider, as far as this process goes. */
export interface Load {
  running: number;
  waiting: number;
}

/** The health of an entry. */
export interface EntryHealth {
  circuit: CircuitState;
  /** Since the last success. */
  failures: number;
  /** The number of accounts that find the circuit open for themselves alone. */
  openAccounts?: number;
  /** The time at which an open circuit lets a request through again; milliseconds since the epoch. */
  until?: number;
  /** The end of a pause that the provider demanded. */
  coolingUntil?: number;
  /** Milliseconds to the first byte, averaged over the last answers. */
  latency?: number;
  /** Output tokens in a second, averaged over the last answers. */
  throughput?: number;
}

/**
 * The circuit breakers of all entries, by id. Most failures can be caused by a request as well as by a provider, so
 * they count for the caller first: an entry has a circuit for each account that fails there, and a common one, which
 * opens only on failures of several accounts.
 *
 * It decides at once and on the clock it is given: requests are not wrapped, and no request waits for another's probe.
 * Published circuit breakers run the call themselves, by timers or a clock of their own, and can neither be asked
 * beforehand nor let a second request go elsewhere during a probe.
 */
export interface CircuitBreakers {
  /** The circuit that an account finds. Absent: nothing bad is known of it. */
  of(id: string, account: string): EntryHealth | undefined;
  /** The state of the common circuits. */
  all(): ReadonlyMap<string, EntryHealth>;
  /** A request goes to the entry: false where its circuit is open, or another's probe is under way. */
  enter(id: string, account: string): boolean;
  /** The head of an answer came after this many milliseconds: an open circuit closes. */
  answered(id: string, account: string, latency: number): void;
  /** The whole of an answer came, this many tokens in this many milliseconds. */
  completed(id: string, account: string, tokens: number, ms: number): void;
  failed(id: string, account: string): void;
  /** The request neither failed nor proved anything: it was refused, or its client left. */
  left(id: string, account: string): void;
  /** The entry wants to be left alone for a while. */
  cool(id: string, seconds: number): void;
  /** Closes all its circuits and ends its pause; its speed stays known. */
  reset(id: string): void;
}

/** The credentials that a request may be sent with to one provider. */
export interface CredentialChoice {
  credentials: readonly Credential[];
  /** What the request stays with the same credential by: its conversation, where it has one. */
  identity(): string;
  /** The name of the one that goes first if it is well. */
  preferred?: string | undefined;
}

/** `denied`: the provider refused it. `cooling`: it is in a pause that the provider demanded. */
export interface CredentialHealth {
  state: "ready" | "denied" | "cooling";
  /** The time at which it is tried again; milliseconds since the epoch. */
  until?: number;
  /** The status that it was refused with. */
  status?: number;
}

/** A credential of a provider that has several, by its name, and its health. */
export interface ProviderCredential extends CredentialHealth {
  provider: string;
  credential: string;
}

/** The health of the credentials of providers that have several, in this process. */
export interface CredentialPool {
  of(credential: Credential): CredentialHealth;
  /** How many calls it was picked for. */
  callsOf(credential: Credential): number;
  /**
   * The credential for a call: of those that are well the one that the identity belongs to, of others only where
   * there is none that is well. After others were `tried`, one that is well or nothing.
   */
  pick(choice: CredentialChoice, tried?: readonly Credential[]): Credential | undefined;
  /** The credential that a call would be made with now; it is counted as no call. */
  peek(choice: CredentialChoice): Credential | undefined;
  /** Milliseconds until the first of them is tried again; 0 where one is well. */
  pauseOf(credentials: readonly Credential[]): number;
  accepted(provider: string, credential: Credential): void;
  denied(provider: string, credential: Credential, status: number): void;
  /** The provider demands a pause; it did not say how long where there are no `seconds`. */
  cool(credential: Credential, seconds: number | undefined): void;
}

/** The memory of routing, in this process. */
export interface Routing {
  breakers: CircuitBreakers;
  credentials: CredentialPool;
  limiter: ProviderLimiter;
  affinity: SessionAffinity;
  maxAttempts: number;
  retryAmbiguousFailures: boolean;
  maxRetryAfterWait: number;
}

/** The entry that served a conversation, and the credential that it was called with, where it has several. */
export interface Served {
  entry: string;
  credential?: string;
}

/** The entries that served conversations before, by a hash of how each begins. */
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
  /** The status of its answer. */
  status?: number;
  /** The reason why it gave no answer. */
  fault?: string;
  /** To the head of its answer. */
  ms: number;
  /** It may have been charged upstream although it failed. */
  perhapsCharged?: true;
}
