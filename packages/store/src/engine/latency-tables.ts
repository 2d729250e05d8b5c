/** The rows of latencies, and of the calls of providers. */
export interface LatencyTables {
  /**
   * Latencies of the requests of each row of sums, as packed sketches; `part` is what one process counted, and empty
   * for parts that were merged.
   */
  hourly_latencies: {
    account_id: string;
    hour: number;
    key_id: string;
    model: string;
    modality: string;
    status: string;
    surface: string;
    entry: string;
    part: string;
    durations: string;
    /** The greatest latency, in ms. */
    longest: number;
    /** The times to the first token. */
    firsts: string;
    longest_first: number;
  };
  hourly_tag_latencies: LatencyTables["hourly_latencies"] & { name: string; value: string };
  /**
   * The numbers of calls that another call followed, and of calls that failed because of the provider, by model entry.
   */
  hourly_failures: { hour: number; entry: string; part: string; retried: number; failed: number };
  /** The entries that served requests, also those that the catalog no longer has. */
  served_entries: { entry: string; provider: string; name: string; model: string };
  /** The last failed or refused calls of each provider. */
  failed_calls: {
    /** Begins with the time. */
    id: string;
    provider: string;
    entry: string;
    account_id: string;
    generation: string;
    attempt: number;
    model: string;
    created_at: number;
    failed_at: number;
    status: number | null;
    fault: string | null;
  };
}
