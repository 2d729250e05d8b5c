/** Options of a simulator. */
export interface SimulatorOptions {
  /** The accepted keys, or a function that decides. Default: any key that is not empty. */
  keys?: string[] | ((key: string) => boolean);
  /** Returns the secret of an access key, for signed requests. Default: the key followed by `-secret`. */
  secret?: (accessKey: string) => string | undefined;
  /** The models; others are not found. Default: any model, and listings have examples. */
  models?: string[];
  /** Part of every id: the same request gets different ids with different seeds. */
  seed?: string;
  /** Returns milliseconds since 1970, for the times in answers. */
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
