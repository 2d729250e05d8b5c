/**
 * Latencies by classes of equal ratio, from which percentiles can be read: a class is 5 % wide, so that its middle is
 * at most 2.5 % from any latency in it. Sketches of different hours, keys or processes are merged by adding up their
 * counts.
 */
export interface Sketch {
  /** The number of latencies in each class. */
  readonly counts: Map<number, number>;
  /** The greatest latency, in ms: no percentile is above it. */
  longest: number;
  /** Present if the greatest is only a bound. */
  isSpread?: true;
}

/** The logarithm of the ratio of a class's bounds. */
export const WIDTH = Math.log(1.05);

/** A sketch without latencies. */
export const newSketch = (): Sketch => ({ counts: new Map(), longest: 0 });

/** The middle of a class: 0 is below a millisecond, and 1 are the milliseconds from 1 to 1.05. */
const middleOf = (number: number): number => (number === 0 ? 0 : Math.exp((number - 0.5) * WIDTH));

/** Adds a latency, in ms. */
export function addLatency(sketch: Sketch, ms: number): void {
  const number = ms < 1 ? 0 : 1 + Math.floor(Math.log(ms) / WIDTH);
  sketch.counts.set(number, (sketch.counts.get(number) ?? 0) + 1);
  if (ms > sketch.longest) sketch.longest = ms;
}

/** Adds latencies that are known only to lie between two bounds, in ms: spread evenly over them. */
export function addSpread(
  sketch: Sketch,
  [from, to]: readonly [from: number, to: number],
  count: number,
): void {
  const first = from < 1 ? 0 : 1 + Math.floor(Math.log(from) / WIDTH);
  for (let number = first, low = from; low < to; number++) {
    const high = Math.min(to, Math.exp(number * WIDTH));
    const share = (count * (high - low)) / (to - from);
    sketch.counts.set(number, (sketch.counts.get(number) ?? 0) + share);
    low = high;
  }
  sketch.longest = Math.max(sketch.longest, to);
  sketch.isSpread = true;
}

/** Adds the latencies of another sketch, `times` over. */
export function addSketch(sketch: Sketch, { counts, longest, isSpread }: Sketch, times = 1): void {
  for (const [number, count] of counts)
    sketch.counts.set(number, (sketch.counts.get(number) ?? 0) + count * times);
  if (longest > sketch.longest) sketch.longest = longest;
  if (isSpread) sketch.isSpread = true;
}

/** A part of a latency: counts that are spread do not add up to whole numbers exactly. */
const TINY = 1e-6;

/** The number of latencies in a sketch. */
export function countOf({ counts }: Sketch): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}

/**
 * The latencies that shares of all of them did not exceed, in whole ms; the shares are in ascending order. The greatest
 * latency is exact. Empty if the sketch is.
 */
export function quantiles(sketch: Sketch, shares: readonly number[]): number[] {
  const total = countOf(sketch);
  const found: number[] = [];
  let passed = 0;
  for (const [number, count] of [...sketch.counts].sort(([a], [b]) => a - b)) {
    passed += count;
    while (found.length < shares.length && passed + TINY >= shares[found.length]! * total) {
      const isGreatest = !sketch.isSpread && shares[found.length]! * total > total - 1 + TINY;
      found.push(isGreatest ? sketch.longest : Math.min(Math.round(middleOf(number)), sketch.longest));
    }
  }
  return found;
}

/** The base in which a class is written, always with two digits. */
export const BASE = 36;

/** The counts as a text: each class, and behind it its count unless that is 1. Two texts with a space between merge. */
export function pack({ counts }: Sketch): string {
  let text = "";
  for (const [number, count] of counts)
    text += `${text === "" ? "" : " "}${number < BASE ? "0" : ""}${number.toString(BASE)}${count === 1 ? "" : count}`;
  return text;
}

const ZERO = 48;
const SPACE = 32;
/** The value of a digit, which is below 36. */
const digitAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code > 96 ? code - 87 : code - ZERO;
};

/** Adds a packed sketch to another. */
export function addPacked(sketch: Sketch, text: string, longest: number): void {
  const { counts } = sketch;
  for (let at = 0; at < text.length; ) {
    if (text.charCodeAt(at) === SPACE) {
      at += 1;
      continue;
    }
    const number = digitAt(text, at) * BASE + digitAt(text, at + 1);
    let count = 0;
    for (at += 2; at < text.length && text.charCodeAt(at) !== SPACE; at++)
      count = count * 10 + digitAt(text, at);
    counts.set(number, (counts.get(number) ?? 0) + (count || 1));
  }
  if (longest > sketch.longest) sketch.longest = longest;
}
