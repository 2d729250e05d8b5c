/** A place where what arrived is not what was sent. */
export interface Difference {
  path: string;
  sent: unknown;
  arrived: unknown;
}

export const token = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The scalars of a value with their paths; empty lists and records count as scalars. */
export function leaves(value: unknown, path = ""): [path: string, value: unknown][] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item, i) => leaves(item, `${path}/${i}`));
  if (isRecord(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : leaves(item, `${path}/${token(key)}`),
    );
  return [[path, value]];
}

/** Where two values differ, down to the scalars. Lists are compared place by place. */
export function differences(sent: unknown, arrived: unknown, path = ""): Difference[] {
  if (sent === undefined || arrived === undefined) {
    if (sent === arrived) return [];
    return leaves(sent === undefined ? arrived : sent, path).map(([at, value]) =>
      sent === undefined
        ? { path: at, sent: undefined, arrived: value }
        : { path: at, sent: value, arrived: undefined },
    );
  }
  if (Array.isArray(sent) && Array.isArray(arrived))
    return Array.from({ length: Math.max(sent.length, arrived.length) }).flatMap((_, i) =>
      differences(sent[i], arrived[i], `${path}/${i}`),
    );
  if (isRecord(sent) && isRecord(arrived))
    return [...new Set([...Object.keys(sent), ...Object.keys(arrived)])].flatMap((key) =>
      differences(sent[key], arrived[key], `${path}/${token(key)}`),
    );
  return Object.is(sent, arrived) || (sent === 0 && arrived === 0) ? [] : [{ path, sent, arrived }];
}

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
