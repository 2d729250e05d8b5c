import type { Payload } from "../transport/transport.ts";

/** The parts of a call that a signature covers. */
export interface Signable {
  origin: string;
  /** Path and query. */
  path: string;
  method: string;
  body?: Payload | undefined;
}

/** Authenticates calls to a provider without a fixed key: they are signed, or carry a token that expires. */
export interface Identity {
  /**
   * The headers that authenticate a call. Rejects with `UpstreamFault` of the kind `token` if no token is available;
   * nothing was sent to the provider then.
   */
  headers(call: Signable): Promise<Record<string, string>>;
  /** Called when the provider refused the headers: the token is not used again. */
  refused(): void;
  /** The secrets that must be removed from shown answers. */
  secrets(): readonly string[];
}
