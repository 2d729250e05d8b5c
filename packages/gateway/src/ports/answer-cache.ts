import type { TextEncoding } from "../http/exchange.ts";

/** Which answers to a request may be cached, and for how long. */
export interface CacheRule {
  /** The greatest age of an answer, in seconds. */
  seconds: number;
  /**
   * True: every answer. Absent: only answers that a repeated request would get again, because it has temperature 0 or a
   * seed, and refers to nothing that a provider stores.
   */
  any?: boolean;
}

/** An answer as its caller got it. */
export interface KeptAnswer {
  /** The time of the answer, in milliseconds since the epoch. */
  at: number;
  /** The time from which it is not used. */
  until: number;
  /** The generation that made it. */
  generation: string;
  /** The cost of that generation, in micro-USD. */
  cost: number;
  headers: Record<string, string>;
  /** The body, or the text of a whole stream. */
  body: string;
  encoding: TextEncoding;
}

/** The key of a cached answer. Requests of different accounts have different keys. */
export interface CacheKey {
  account: string;
  /** The hash of everything that can change the answer. */
  hash: string;
}

/** Caches answers up to a total size, beyond which it evicts the least recently used or the oldest ones. */
export interface AnswerCache {
  get(key: CacheKey): KeptAnswer | undefined | Promise<KeptAnswer | undefined>;
  /** Caches an answer. The caller does not wait for it, and it does not throw. */
  put(key: CacheKey, answer: KeptAnswer): void;
}

/** The cache of a gateway, and the price of answers from it. */
export interface Answers {
  cache: AnswerCache;
  /** The price of a cached answer as a share of the first answer's cost, from 0 to 1. */
  share: number;
}
