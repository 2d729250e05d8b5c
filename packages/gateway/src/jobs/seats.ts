import type { JobKind } from "@manifold-gateway/store";
import type { JobLimits } from "../ports/limits.ts";

/** Places for the jobs that one process works on: so many in all, and so many of a kind. */
export interface Seats {
  /** The number of further jobs of a kind that there is room for. */
  room(kind: JobKind): number;
  /** Takes places of each of these kinds, as long as they are not given back. */
  take(kinds: readonly JobKind[], count?: number): () => void;
}

export function createSeats({ concurrency, atOnce }: Pick<JobLimits, "concurrency" | "atOnce">): Seats {
  const taken: Record<JobKind, number> = { image: 0, video: 0, speech: 0, asset: 0 };
  let all = 0;
  return {
    room: (kind) => Math.max(0, Math.min(concurrency - all, atOnce[kind] - taken[kind])),
    take(kinds, count = 1) {
      all += count;
      for (const kind of kinds) taken[kind] += count;
      return () => {
        all -= count;
        for (const kind of kinds) taken[kind] -= count;
      };
    },
  };
}
