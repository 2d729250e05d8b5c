import type { Engine } from "../engine/engine.ts";

const HOUR = 3_600_000;
/** The first piece of sums, and the shortest: each begins with a search for the rows of every account. */
const SHORTEST = 6 * HOUR;
/**
 * What a piece may take, in ms. A file is read by the thread that serves requests, which wait that long; a server ends
 * statements that take many seconds.
 */
const MOST_MS: Record<Engine["dialect"], number> = { sqlite: 10, postgres: 250 };

interface Range {
  from: number;
  to: number;
}

/**
 * The pieces of a range, the newest first: how long one took to be read says how long the next may be. Nothing is lost
 * by an end before the last.
 */
export async function* backwards(
  { dialect }: Pick<Engine, "dialect">,
  { from, to }: Range,
  shortest: number,
): AsyncGenerator<Range> {
  let span = shortest;
  for (let end = to; end > from; ) {
    const start = Math.max(from, end - span);
    const began = performance.now();
    yield { from: start, to: end };
    span = performance.now() - began > MOST_MS[dialect] ? Math.max(shortest, Math.floor(span / 2)) : span * 2;
    end = start;
    // Requests that wait are served before the next piece.
    await new Promise((done) => setImmediate(done));
  }
}

/** Reads a range of hours in pieces, and gives the rows of earlier ones first. */
export async function readRange<Row>(
  engine: Engine,
  range: Range,
  read: (from: number, to: number) => Promise<Row[]>,
): Promise<Row[]> {
  const pieces: Row[][] = [];
  for await (const { from, to } of backwards(engine, range, SHORTEST)) pieces.push(await read(from, to));
  return pieces.reverse().flat();
}
