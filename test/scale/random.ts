/** Chance that is the same for the same seed. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  between(low: number, high: number): number;
  /** Waits between things that happen independently, `mean` apart on average. */
  wait(mean: number): number;
}

/** The generator is mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (low, high) => Math.floor(low + next() * (high - low + 1)),
    wait: (mean) => -Math.log(1 - next()) * mean,
  };
}
