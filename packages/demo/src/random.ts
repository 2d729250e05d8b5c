import { createHash } from "node:crypto";

/** A pseudo-random generator with the same values for the same seed. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  /** An item of the list, with a probability in proportion to its weight. */
  pickWeighted<T extends { weight: number }>(list: readonly T[]): T;
}

/** The generator mulberry32: small, and random enough for simulated traffic. */
export function createRandom(seed: string): Random {
  let state = createHash("sha256").update(seed).digest().readUInt32LE();
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
    pickWeighted(list) {
      let left = next() * list.reduce((sum, { weight }) => sum + weight, 0);
      const found = list.find(({ weight }) => {
        left -= weight;
        return left < 0;
      });
      return (found ?? list.at(-1)) as (typeof list)[number];
    },
  };
}
