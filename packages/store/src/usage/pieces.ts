import type { Engine } from "../engine/engine.ts";

/** The number of accounts in the first piece. */
const ACCOUNTS = 32;
const MOST_ACCOUNTS = 4_096;

interface Range {
  from: number;
  to: number;
}

interface Piece extends Range {
  accounts: readonly string[];
}

/**
 * Cuts a query over accounts and a range of time into pieces, newest first for each account. The time that a piece took
 * decides the size of the next: first a longer range, up to the whole, and then more accounts, because an account's
 * rows are stored together. No piece is shorter than `shortest`, unless the range is.
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
    for (let end = to; end > from; ) {
      const start = Math.max(from, end - span);
      const isWhole = end === to && start === from;
      const began = performance.now();
      yield { accounts: some, from: start, to: end };
      const isLong = performance.now() - began > dialect.reportMs;
      if (isWhole && (!isLong || most > 1))
        most = isLong ? Math.ceil(most / 2) : Math.min(most * 2, MOST_ACCOUNTS);
      else span = isLong ? Math.max(shortest, Math.floor((end - start) / 2)) : span * 2;
      end = start;
      // With a database in memory, this lets waiting requests run before the next piece.
      await new Promise((done) => setImmediate(done));
    }
  }
}
