import { DAY } from "../engine/durations.ts";
/** The day of a moment, in UTC, as a number. */
export const dayOf = (at: number): number => Math.floor(at / DAY);

/** The time that one pack covers, in ms: a lookup reads the packs around a moment. */
export const SPAN_MS = 1_000;
/**
 * The length in characters from which a pack takes no further text: allocating larger values costs more than another
 * row.
 */
export const FULL = 48 * 1024;

/** The requests of one account within a second, which are stored as one row. */
export interface Pack {
  /** Its name while it takes more. */
  name: string;
  account: string;
  /** The second, in units of `SPAN_MS`. */
  span: number;
  /** The times of its first and last request, in ms. */
  first: number;
  last: number;
  /** The ids of the generations, and their requests as JSON texts. */
  ids: string[];
  texts: string[];
  /** The characters of the texts. */
  length: number;
}

/** A row of the table `contents`. */
export interface PackRow {
  day: number;
  account: string;
  first: number;
  last: number;
  /** The id of the generation that was added first. */
  id: string;
  /** The size of the body. */
  bytes: number;
  /** A JSON object: the requests by the ids of their generations. */
  body: string;
}

export function toPackRow({ account, first, last, ids, texts }: Pack): PackRow {
  const body = `{${texts.map((text, at) => `${JSON.stringify(ids[at])}:${text}`).join()}}`;
  return { day: dayOf(first), account, first, last, id: ids[0]!, bytes: Buffer.byteLength(body), body };
}

/** The request of a generation of the account, if one of the packs has it. */
export function textIn(
  packs: Iterable<Pack>,
  { id, account }: { id: string; account: string },
): string | undefined {
  for (const pack of packs) {
    const at = pack.account === account ? pack.ids.indexOf(id) : -1;
    if (at >= 0) return pack.texts[at];
  }
  return undefined;
}
