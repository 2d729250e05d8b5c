import type { Engine } from "../engine/engine.ts";

const HOUR = 3_600_000;
/** The first piece, and the shortest: each begins with a search for the rows of every account. */
const SHORTEST = 6 * HOUR;
/**
 * What a piece may take, in ms. A file is read by the thread that serves requests, which wait that long; a server ends
 * statements that take many seconds.
 */
const MOST_MS: Record<Engine["dialect"], number> = { sqlite: 10, postgres: 250 };

/**
 * Reads a range of hours in pieces, and gives the rows of earlier ones first. The newest hours are read first: how much
 * there is of those says how long the next piece may be.
 */
export async function readRange<Row>(
  { dialect }: Engine,
  { from, to }: { from: number; to: number },
  read: (from: number, to: number) => Promise<Row[]>,
): Promise<Row[]> {
  const pieces: Row[][] = [];
  let span = SHORTEST;
  for (let end = to; end > from; ) {
    const start = Math.max(from, end - span);
    const began = performance.now();
    pieces.push(await read(start, end));
    span = performance.now() - began > MOST_MS[dialect] ? Math.max(SHORTEST, span / 2) : span * 2;
    end = start;
    // Requests that wait are served before the next piece.
    await new Promise((done) => setImmediate(done));
  }
  return pieces.reverse().flat();
}
