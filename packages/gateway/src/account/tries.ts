/** Counts tries by subject, in one process. */
export interface Tries {
  /** Milliseconds until a further try is let in; 0 where this one is, which then counts. */
  take(subject: string): number;
  /** Forgets the tries of a subject. */
  clear(subject: string): void;
}

/** How many subjects are remembered; beyond it the oldest go first. */
const ROOM = 10_000;

/** Lets in `most` tries of a subject within `window` milliseconds of the first. */
export function createTries(most: number, window: number, now: () => number): Tries {
  const counts = new Map<string, { count: number; until: number }>();
  return {
    take(subject) {
      const at = now();
      let found = counts.get(subject);
      if (!found || found.until <= at) {
        counts.delete(subject);
        if (counts.size >= ROOM) counts.delete(counts.keys().next().value as string);
        found = { count: 0, until: at + window };
        counts.set(subject, found);
      }
      if (found.count >= most) return found.until - at;
      found.count += 1;
      return 0;
    },
    clear: (subject) => void counts.delete(subject),
  };
}
