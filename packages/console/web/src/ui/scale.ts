/** Where the lines of a chart stand, and which of its times have their names below it. */

/** The lines above zero, at most. */
const MOST_LINES = 5;
const STEPS = [1, 2, 2.5, 5, 10];

/** Round numbers from zero to the first that is not below the greatest value. */
export function linesOf(greatest: number): number[] {
  if (!(greatest > 0) || !Number.isFinite(greatest)) return [0];
  const least = greatest / MOST_LINES;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (STEPS.find((one) => one * power >= least * (1 - 1e-9)) ?? 10);
  const count = Math.ceil((greatest / step) * (1 - 1e-9));
  // Products of decimals are rounded, so that they read as they were meant.
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** The room between two names, in pixels. */
const BETWEEN = 24;

/** The room that the longest of these names takes where a letter takes so much, and a mark between digits half of it. */
export const roomOf = (names: readonly string[], letter: number): number =>
  letter * Math.max(0, ...names.map((name) => name.length - name.replaceAll(/[^.,:-]/g, "").length / 2));

/**
 * The places of the times that are named: as many as fit beside each other, equally far apart. The first name begins
 * where its time does if it would stand out at the left, and so comes closer to the second.
 */
export function namedPlaces(names: readonly string[], width: number, letter: number): number[] {
  const room = roomOf(names, letter);
  const ofOne = Math.max(1, width) / Math.max(1, names.length);
  const moved = Math.max(0, (room - ofOne) / 2);
  const step = Math.max(1, Math.ceil(Math.max(room + BETWEEN, room + moved + letter) / ofOne));
  return names.flatMap((_, at) => (at % step === 0 ? [at] : []));
}
