/** Where the primary's log was at a moment: all that was committed before `at` is before `position`. */
export interface Sample {
  /** In ms, by the clock of this process. */
  at: number;
  position: number;
}

/**
 * How far a replica is behind, at most: the age of the latest sample of the primary that it has reached. `undefined` if
 * it has reached none. A replica's own word would not do: one that is cut off believes to have everything.
 */
export function delayOf(samples: readonly Sample[], position: number, now: number): number | undefined {
  const reached = samples.findLast((sample) => sample.position <= position);
  return reached && now - reached.at;
}
