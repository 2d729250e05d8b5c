import type { Mark } from "../ui/mark.ts";

type Marks = Map<string, Mark>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const placeIn = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

const DIFFERS: Mark = { tone: "warn", text: "≠ differs" };
const LEFT: Mark = { tone: "bad", text: "− only here" };
const RIGHT: Mark = { tone: "good", text: "+ only here" };

/** The places in which two JSON values differ, marked on each of them by its pointer. */
export function differenceMarks(left: unknown, right: unknown): { left: Marks; right: Marks } {
  const marks = { left: new Map() as Marks, right: new Map() as Marks };
  const compare = (one: unknown, other: unknown, at: { left: string; right: string }): void => {
    if (isSame(one, other)) return;
    if (Array.isArray(one) && Array.isArray(other)) {
      for (const [a, b] of aligned(one, other)) {
        if (b === undefined) marks.left.set(placeIn(at.left, a as number), LEFT);
        else if (a === undefined) marks.right.set(placeIn(at.right, b), RIGHT);
        else compare(one[a], other[b], { left: placeIn(at.left, a), right: placeIn(at.right, b) });
      }
    } else if (isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other)) {
      for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
        const place = { left: placeIn(at.left, name), right: placeIn(at.right, name) };
        if (!Object.hasOwn(other, name)) marks.left.set(place.left, LEFT);
        else if (!Object.hasOwn(one, name)) marks.right.set(place.right, RIGHT);
        else compare(one[name], other[name], place);
      }
    } else {
      marks.left.set(at.left, DIFFERS);
      marks.right.set(at.right, DIFFERS);
    }
  };
  compare(left, right, { left: "", right: "" });
  return marks;
}

type Pair = readonly [left: number | undefined, right: number | undefined];

/** The most comparisons of elements; longer lists are compared place by place. */
const MOST = 40_000;

/** The elements of two lists side by side: equal ones together, and between them as many pairs as there are. */
function aligned(left: readonly unknown[], right: readonly unknown[]): Pair[] {
  const [ones, others] = [left, right].map((list) => list.map((element) => JSON.stringify(element)));
  const equal = left.length * right.length > MOST ? [] : longestCommon(ones as string[], others as string[]);
  const pairs: Pair[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...equal, [left.length, right.length] as const]) {
    while (a < nextA || b < nextB) pairs.push([a < nextA ? a++ : undefined, b < nextB ? b++ : undefined]);
    if (a < left.length && b < right.length) pairs.push([a++, b++]);
  }
  return pairs;
}

/** The places of the longest list of elements that both have in the same order. */
function longestCommon(ones: readonly string[], others: readonly string[]): [number, number][] {
  const lengths = Array.from({ length: ones.length + 1 }, () => new Array<number>(others.length + 1).fill(0));
  const at = (a: number, b: number): number => lengths[a]?.[b] ?? 0;
  for (let a = ones.length - 1; a >= 0; a--)
    for (let b = others.length - 1; b >= 0; b--)
      lengths[a]![b] = ones[a] === others[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
  const found: [number, number][] = [];
  for (let [a, b] = [0, 0]; a < ones.length && b < others.length; ) {
    if (ones[a] === others[b]) found.push([a++, b++]);
    else if (at(a + 1, b) >= at(a, b + 1)) a += 1;
    else b += 1;
  }
  return found;
}
