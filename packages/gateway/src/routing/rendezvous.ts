import { createHash } from "node:crypto";

/** Something that gets a share of all conversations. */
export interface Weighted {
  /** Tells it from the others. */
  name: string;
  /** Its share, in proportion to the others' weights; 0: only where no other is left. */
  weight: number;
}

/** The number of bytes that a draw is made of: as many as a number holds exactly. */
const BYTES = 6;

/**
 * The draw of one of several for an identity: the highest wins. Each draws for itself, so that one that comes or goes
 * moves only the identities that it wins or had won, and each wins as often as its share of the weights says.
 */
export function drawOf({ name, weight }: Weighted, identity: string): number {
  if (weight <= 0) return 0;
  const hash = createHash("sha256").update(`${identity}\n${name}`).digest();
  // Above 0 and below 1.
  const chance = (hash.readUIntBE(0, BYTES) + 0.5) / 2 ** (8 * BYTES);
  return -weight / Math.log(chance);
}

/** The order of several for an identity, the one that it is for first. */
export function weightedOrder<One extends Weighted>(all: readonly One[], identity: string): One[] {
  return all
    .map((one) => ({ one, draw: drawOf(one, identity) }))
    .sort((a, b) => b.draw - a.draw)
    .map(({ one }) => one);
}
