import { type Caller, ownerOf } from "./access.ts";
import { Refusal } from "./http/refusal.ts";

/** How many streams run for each key, in this process. */
export interface Streams {
  /**
   * Runs `work` as one stream of the caller, from now until it ends, which is after its settlement. A 429 where the
   * caller has as many as are allowed.
   */
  run<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
}

/** At most `most` streams at once for each key; the sessions of one account count together. */
export function createStreams(most: number): Streams {
  const open = new Map<string, number>();
  return {
    async run(caller, work) {
      const owner = ownerOf(caller);
      const before = open.get(owner) ?? 0;
      if (before >= most)
        throw new Refusal(
          "too_many_streams",
          `${caller.keyId === undefined ? "This account" : "This API key"} has ${before} streams open, which is the most at one time. Try again when one has ended.`,
          { headers: { "retry-after": "1" } },
        );
      open.set(owner, before + 1);
      try {
        return await work();
      } finally {
        const after = (open.get(owner) ?? 1) - 1;
        if (after > 0) open.set(owner, after);
        else open.delete(owner);
      }
    },
  };
}
