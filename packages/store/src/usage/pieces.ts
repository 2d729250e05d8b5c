import type { Engine } from "../engine/engine.ts";

/** The number of accounts in the first piece. */
const ACCOUNTS = 32;
const MOST_ACCOUNTS = 4_096;
/** Longer pieces pay if a piece takes less than this multiple of the time of a shorter one. */
const FLAT = 1.5;

interface Range {
  from: number;
  to: number;
}

interface Piece extends Range {
  accounts: readonly string[];
}

/** A length, and the ms that a piece of it took. */
interface Timed {
  length: number;
  took: number;
}

/** True if two pieces of different lengths took nearly the same time. */
const isFlat = (a: Timed, b: Timed): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length < long.length && long.took < FLAT * short.took;
};

/**
 * Cuts a query over accounts and a range of time into pieces, newest first for each account. The duration of a piece
 * decides the size of the next: first a longer range, up to the whole, and then more accounts, because an account's
 * rows are stored together. No piece is shorter than `shortest`, unless the range is. Finding the accounts takes a
 * fixed time, however short the range: if half of a range takes nearly as long as the whole, pieces become longer.
 */
export async function* pieces(
  { dialect }: Pick<Engine, "dialect">,
  accounts: readonly string[],
  { from, to }: Range,
  shortest: number,
): AsyncGenerator<Piece> {
  let span = shortest;
  let most = ACCOUNTS;
  for (let next = 0; next < accounts.length; ) {
    const some = accounts.slice(next, next + most);
    next += some.length;
    let before: Timed | undefined;
    for (let end = to; end > from; ) {
      const start = Math.max(from, end - span);
      const isWhole = end === to && start === from;
      const began = performance.now();
      yield { accounts: some, from: start, to: end };
      const [length, took] = [end - start, performance.now() - began];
      const isLong = took > dialect.reportMs;
      if (isWhole && (!isLong || most > 1))
        most = isLong ? Math.ceil(most / 2) : Math.min(most * 2, MOST_ACCOUNTS);
      else if (isLong && length > shortest && !(before && isFlat(before, { length, took })))
        span = Math.max(shortest, Math.floor(length / 2));
      else span *= 2;
      before = { length, took };
      end = start;
      // With a database in memory, this lets waiting requests run before the next piece.
      await new Promise((done) => setImmediate(done));
    }
  }
}
