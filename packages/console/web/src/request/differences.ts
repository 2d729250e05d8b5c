import type { Mark } from "../ui/mark.ts";

type Marks = Map<string, Mark>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const placeIn = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

const DIFFERS: Mark = { tone: "warn", text: "≠ differs" };
const FIRST: Mark = { tone: "bad", text: "− only here" };
const SECOND: Mark = { tone: "good", text: "+ only here" };

/** The places in which two JSON values differ, marked on each of them by its pointer. */
export function differenceMarks(first: unknown, second: unknown): { first: Marks; second: Marks } {
  const marks = { first: new Map() as Marks, second: new Map() as Marks };
  const compare = (one: unknown, other: unknown, at: { first: string; second: string }): void => {
    if (isSame(one, other)) return;
    if (Array.isArray(one) && Array.isArray(other)) {
      for (const [a, b] of aligned(one, other)) {
        if (b === undefined) marks.first.set(placeIn(at.first, a as number), FIRST);
        else if (a === undefined) marks.second.set(placeIn(at.second, b), SECOND);
        else compare(one[a], other[b], { first: placeIn(at.first, a), second: placeIn(at.second, b) });
      }
    } else if (isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other)) {
      for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
        const place = { first: placeIn(at.first, name), second: placeIn(at.second, name) };
        if (!Object.hasOwn(other, name)) marks.first.set(place.first, FIRST);
        else if (!Object.hasOwn(one, name)) marks.second.set(place.second, SECOND);
        else compare(one[name], other[name], place);
      }
    } else {
      marks.first.set(at.first, DIFFERS);
      marks.second.set(at.second, DIFFERS);
    }
  };
  compare(first, second, { first: "", second: "" });
  return marks;
}

type Pair = readonly [first: number | undefined, second: number | undefined];

/** The most comparisons of elements; longer lists are compared place by place. */
const MOST = 40_000;

/** The elements of two lists side by side: equal ones together, and between them as many pairs as there are. */
function aligned(first: readonly unknown[], second: readonly unknown[]): Pair[] {
  const [ones, others] = [first, second].map((list) => list.map((element) => JSON.stringify(element)));
  const equal =
    first.length * second.length > MOST ? [] : longestCommon(ones as string[], others as string[]);
  const pairs: Pair[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...equal, [first.length, second.length] as const]) {
    while (a < nextA || b < nextB) pairs.push([a < nextA ? a++ : undefined, b < nextB ? b++ : undefined]);
    if (a < first.length && b < second.length) pairs.push([a++, b++]);
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
