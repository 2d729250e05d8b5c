/** Options of a simulator. */
export interface SimulatorOptions {
  /** Keys that are let in, or a judge of them. Any key that is not empty, unless said. */
  keys?: string[] | ((key: string) => boolean);
  /** The secret behind an access key, for signed requests. The key with `-secret` behind it, unless said. */
  secret?: (accessKey: string) => string | undefined;
  /** The models there are; others are not found. Any model, unless said; the list is then an example. */
  models?: string[];
  /** Goes into every id: two seeds give different ones for the same request. */
  seed?: string;
  /** Milliseconds since 1970, for the time an answer was made. */
  now?: () => number;
  /** The number of exchanges that the ledger remembers. */
  ledgerSize?: number;
}

export const EXAMPLE_MODELS = [
  "sim-text",
  "sim-text-new",
  "sim-text-old",
  "sim-embed",
  "sim-embed-multimodal",
];
