/** Choices of one request: the same for the same number, so that a failure can be had again. */
export interface Draw {
  /** A whole number below `most`. */
  below(most: number): number;
  one<T>(values: readonly T[]): T;
  /** True in `share` of all cases. */
  is(share: number): boolean;
}

export function drawOf(seed: number): Draw {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return { below, one: (values) => values[below(values.length)]!, is: (share) => next() < share };
}
