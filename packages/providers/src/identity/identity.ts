import type { Payload } from "../transport.ts";

/** The parts of a call that a signature is over. */
export interface Signable {
  origin: string;
  /** Path and query. */
  path: string;
  method: string;
  body?: Payload | undefined;
}

/** How a provider is told who calls, where that is no fixed key: calls are signed, or carry a token that expires. */
export interface Identity {
  /**
   * The headers that say who calls. Rejects with `UpstreamFault` of the kind `token` where none can be had: nothing
   * was sent to the provider then.
   */
  headers(call: Signable): Promise<Record<string, string>>;
  /** The provider refused what the headers said: it is not used again. */
  refused(): void;
  /** All that must not be in what is shown of answers. */
  secrets(): readonly string[];
}
