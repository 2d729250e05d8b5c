import type { JobKind } from "@manifold-gateway/store";
import type { JobLimits } from "../ports/limits.ts";

/** Slots for the jobs of one process, limited in total and for each kind. */
export interface Slots {
  /** The number of free slots for a kind. */
  room(kind: JobKind): number;
  /** Takes slots of each of these kinds until the returned function gives them back. */
  take(kinds: readonly JobKind[], count?: number): () => void;
}

export function createSlots({ concurrency, atOnce }: Pick<JobLimits, "concurrency" | "atOnce">): Slots {
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
