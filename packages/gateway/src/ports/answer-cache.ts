import type { TextEncoding } from "../http/exchange.ts";

/** How long answers of a request may be kept, and which. */
export interface CacheRule {
  /** The greatest age of an answer, in seconds. */
  seconds: number;
  /**
   * True: every answer. Absent: only those that the same request would get again, because it has no temperature or a
   * seed, and refers to nothing that a provider keeps.
   */
  any?: boolean;
}

/** An answer as its caller got it. */
export interface KeptAnswer {
  /** When it was given, in milliseconds since the epoch. */
  at: number;
  /** From when on it is not used any more. */
  until: number;
  /** The generation that made it. */
  generation: string;
  /** What that cost, in micro-USD. */
  cost: number;
  headers: Record<string, string>;
  /** The body, or the text of a whole stream. */
  body: string;
  encoding: TextEncoding;
}

/** The key of a cached answer. Requests of different accounts have different keys. */
export interface CacheKey {
  account: string;
  /** The hash of all that decides the answer. */
  hash: string;
}

/** Keeps answers, up to a total size. It forgets the ones that were not used for longest, or the oldest. */
export interface AnswerCache {
  get(place: CacheKey): KeptAnswer | undefined | Promise<KeptAnswer | undefined>;
  /** Caches an answer. The caller does not wait for it, and it does not throw. */
  put(place: CacheKey, answer: KeptAnswer): void;
}

/** The cache of a gateway, and what an answer from it costs. */
export interface Answers {
  cache: AnswerCache;
  /** The share of the cost of the first answer that each further one costs, from 0 to 1. */
  share: number;
}
