export { type Difference, differences, leaves } from "@manifold-gateway/testing";

/** A name as a JSON pointer spells it. */
export const token = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The pairing of two lists, in order, that has the most in common. */
export function align<T>(
  left: readonly T[],
  right: readonly T[],
  likeness: (a: T, b: T) => number,
): [T?, T?][] {
  const best: number[][] = Array.from({ length: left.length + 1 }, () =>
    new Array<number>(right.length + 1).fill(0),
  );
  const score = (i: number, j: number): number => (best[i] as number[])[j] as number;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--) {
      const like = likeness(left[i] as T, right[j] as T);
      const paired = like > 0 ? like + score(i + 1, j + 1) : 0;
      (best[i] as number[])[j] = Math.max(paired, score(i + 1, j), score(i, j + 1));
    }
  const pairs: [T?, T?][] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const a = left[i];
    const b = right[j];
    const like = a !== undefined && b !== undefined ? likeness(a, b) : 0;
    if (like > 0 && score(i, j) === like + score(i + 1, j + 1)) {
      pairs.push([a, b]);
      i += 1;
      j += 1;
    } else if (j >= right.length || (i < left.length && score(i, j) === score(i + 1, j))) {
      pairs.push([a, undefined]);
      i += 1;
    } else {
      pairs.push([undefined, b]);
      j += 1;
    }
  }
  return pairs;
}
