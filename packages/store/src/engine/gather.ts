/** The longest wait of a group for further work, in ms. */
export const GATHER_MS = 2;
/** The number of expected requests from which waiting pays. */
const FEW = 3;
/** The time over which requests are counted, in ms; older ones count exponentially less. */
const COUNT_MS = 20;

/** The number of requests in about the last `COUNT_MS`. */
export interface Pace {
  readonly count: number;
  /** The time of the last request, in ms. */
  readonly at: number;
}

export const noPace: Pace = { count: 0, at: 0 };

const countAt = ({ count, at }: Pace, now: number): number => count * Math.exp((at - now) / COUNT_MS);

/** Counts the requests of a group. */
export const addGroup = (pace: Pace, requests: number, now: number): Pace => ({
  count: countAt(pace, now) + requests,
  at: now,
});

/** Work that waits for its commit. */
export interface Gathered {
  /** Its answer waits for the disk. */
  lasting: boolean;
  /** When it arrived, in ms. */
  at: number;
}

/**
 * The time that a group still waits for further work, in ms. Each commit has costs that do not depend on its size: its
 * first statements, its pages and its wait for the disk. A group therefore waits if at this pace more than `FEW`
 * requests end meanwhile. Soft work never waits: its caller can do nothing else until it is done.
 */
export function gatherMs(pace: Pace, group: readonly Gathered[], now: number): number {
  const [first] = group;
  if (first === undefined || countAt(pace, now) * GATHER_MS <= FEW * COUNT_MS) return 0;
  if (!group.every(({ lasting }) => lasting)) return 0;
  const wait = first.at + GATHER_MS - now;
  // Timers know whole milliseconds only.
  return wait < 1 ? 0 : wait;
}
