/** `half-open`: one request is let through, and its outcome opens or closes the circuit. */
export type CircuitState = "closed" | "open" | "half-open";

/** The health of an entry. */
export interface EntryHealth {
  /** The state of its circuit. */
  circuit: CircuitState;
  /** The number of failures since the last success. */
  failures: number;
  /** The number of accounts for which alone the circuit is open. */
  openAccounts?: number;
  /** When the circuit opened, in milliseconds since the epoch; failed probes do not change it. */
  openSince?: number;
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
  /** The request failed at the entry. */
  failed(id: string, account: string): void;
  /** The request shows neither a failure nor a success: it was refused, or its client left. */
  inconclusive(id: string, account: string): void;
  /** The entry requested a pause. */
  cool(id: string, seconds: number): void;
  /** Closes all circuits of the entry and ends its pause. Its measured speed stays. */
  reset(id: string): void;
}
