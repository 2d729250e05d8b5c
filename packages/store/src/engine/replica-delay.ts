/** The position of the primary's log at a time: everything committed before `at` is before `position`. */
export interface Sample {
  /** In ms, by the clock of this process. */
  at: number;
  position: number;
}

/**
 * An upper bound for the delay of a replica: the age of the latest sample of the primary that it has reached;
 * `undefined` if it has reached none. A replica's own figure is not enough, because a disconnected one reports that it
 * has everything.
 */
export function delayOf(samples: readonly Sample[], position: number, now: number): number | undefined {
  const reached = samples.findLast((sample) => sample.position <= position);
  return reached && now - reached.at;
}
