/** A place where what arrived is not what was sent. */
export interface Difference {
  /** The place, as a JSON pointer. */
  path: string;
  /** The value before; undefined if it was absent. */
  sent: unknown;
  /** The value after; undefined if it is absent. */
  arrived: unknown;
}

/** A name as a JSON pointer spells it. */
const token = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

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

/**
 * The places where two values differ, down to the scalars. Lists are compared item by item; an undefined member
 * counts as absent.
 */
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
