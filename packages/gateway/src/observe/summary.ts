/** What became of a request, as far as it went: for the one line that the log has of it. */
export interface RequestSummary {
  /** As the caller named it. */
  model: string;
  /** The neutral id of the entry that was called last, or would have been. */
  entry?: string | undefined;
  /** Calls to providers. */
  attempts?: number;
  /** Why the last of them got no answer. */
  fault?: string | undefined;
  /** Micro-USD. */
  cost?: number | undefined;
  /** Tokens. */
  input?: number | undefined;
  output?: number | undefined;
}
