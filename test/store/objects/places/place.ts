import type { Objects } from "@manifold-gateway/store";

/** Somewhere that objects are kept, and what a test can see and turn there from outside. */
export interface Place {
  objects: Objects;
  /** The same objects through a new opening that allows `limit` bytes each. */
  open(limit: number): Promise<Objects>;
  /** Unix milliseconds, for what is written, linked and fetched from now on. */
  setNow(now: number): void;
  /** Bytes that have arrived, complete objects or not. */
  landed(): Promise<number>;
  /** Bytes that one upload may hold in memory. */
  buffer: number;
  /** Parts of objects that never became one, still taking room. */
  leftovers(): Promise<number>;
  /** What a client gets for a link. */
  follow(link: string, init?: RequestInit): Promise<Response>;
  drop(): Promise<void>;
}

export const NOW = Date.UTC(2026, 10, 21, 12);
