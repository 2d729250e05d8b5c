import { createHash } from "node:crypto";

/** An entry or a credential that gets a share of all conversations. */
export interface Weighted {
  /** A name that is unique among the others. */
  name: string;
  /** Its share, in proportion to the others' weights; 0: used only if no other is left. */
  weight: number;
}

/** The number of hash bytes in a draw: as many as a JavaScript number holds exactly. */
const BYTES = 6;

/**
 * The draw of one member for an identity (weighted rendezvous hashing); the highest draw wins. Draws are independent,
 * so adding or removing a member moves only the identities that it wins or had won. Each member wins in proportion to
 * its weight.
 */
export function drawOf({ name, weight }: Weighted, identity: string): number {
  if (weight <= 0) return 0;
  const hash = createHash("sha256").update(`${identity}\n${name}`).digest();
  // Above 0 and below 1.
  const chance = (hash.readUIntBE(0, BYTES) + 0.5) / 2 ** (8 * BYTES);
  return -weight / Math.log(chance);
}

/** The order of members for an identity, the winner first. */
export function weightedOrder<One extends Weighted>(all: readonly One[], identity: string): One[] {
  return all
    .map((one) => ({ one, draw: drawOf(one, identity) }))
    .sort((a, b) => b.draw - a.draw)
    .map(({ one }) => one);
}
