import type { Engine } from "../engine/engine.ts";

/** The number of accounts whose rows the first piece has. */
const ACCOUNTS = 32;
const MOST_ACCOUNTS = 4_096;
/**
 * What a piece may take, in ms. All reports on a file are read by one thread, in turns of a piece; a server ends
 * statements that take many seconds.
 */
const MOST_MS: Record<Engine["dialect"], number> = { sqlite: 50, postgres: 250 };

interface Range {
  from: number;
  to: number;
}

interface Piece extends Range {
  accounts: readonly string[];
}

/**
 * Cuts what is read of accounts in a range of time into pieces: those of an account follow each other, the newest
 * first. How long a piece took to be read says how much the next may have: more time first, up to the whole range, then
 * more accounts, as the rows of an account stand together. No piece is shorter than `shortest` unless the range is.
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
      const isLong = performance.now() - began > MOST_MS[dialect];
      if (isWhole && (!isLong || most > 1))
        most = isLong ? Math.ceil(most / 2) : Math.min(most * 2, MOST_ACCOUNTS);
      else span = isLong ? Math.max(shortest, Math.floor((end - start) / 2)) : span * 2;
      end = start;
      // In memory, requests that wait are served before the next piece.
      await new Promise((done) => setImmediate(done));
    }
  }
}
