/** The restrictions of a key besides its caps. An absent member means no restriction. */
export interface Restrictions {
  requestsPerMinute?: number;
  tokensPerMinute?: number;
  /** The most requests running at one time. */
  concurrentRequests?: number;
  /** The ids of models as callers write them; `*` stands for any text. */
  models?: readonly string[];
  /** The names of surfaces. */
  surfaces?: readonly string[];
  /** Milliseconds since the epoch. */
  expiresAt?: number;
}

/** `null` removes a restriction; an absent one stays as it is. */
export type RestrictionsChange = { [name in keyof Restrictions]?: Restrictions[name] | null };

/** The restrictions after a change, as a column. */
export function changeRestrictions(stored: string | null, change: RestrictionsChange): string | null {
  const changed = { ...toRestrictions(stored), ...change };
  const left = Object.entries(changed).filter(([, value]) => value !== null && value !== undefined);
  return left.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(left.sort(([a], [b]) => (a < b ? -1 : 1))));
}

export const toRestrictions = (stored: string | null): Restrictions | undefined =>
  stored === null ? undefined : (JSON.parse(stored) as Restrictions);
