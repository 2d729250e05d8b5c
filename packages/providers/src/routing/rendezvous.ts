import { sha256 } from "./sha256.ts";

/** An entry or a credential that gets a share of all conversations. */
export interface Weighted {
  /** A name that is unique among the others. */
  name: string;
  /** Its share, in proportion to the others' weights; 0: used only if no other is left. */
  weight: number;
}

/**
 * The draw of one member for an identity (weighted rendezvous hashing); the highest draw wins. Draws are independent,
 * so adding or removing a member moves only the identities that it wins or had won. Each member wins in proportion to
 * its weight.
 */
export function drawOf({ name, weight }: Weighted, identity: string): number {
  if (weight <= 0) return 0;
  const [high = 0, low = 0] = sha256(`${identity}\n${name}`);
  // Of 48 bits, which a JavaScript number holds exactly: above 0 and below 1.
  const chance = ((high >>> 0) * 2 ** 16 + (low >>> 16) + 0.5) / 2 ** 48;
  return -weight / Math.log(chance);
}

/** The order of members for an identity, the winner first. */
export function weightedOrder<One extends Weighted>(all: readonly One[], identity: string): One[] {
  return all
    .map((one) => ({ one, draw: drawOf(one, identity) }))
    .sort((a, b) => b.draw - a.draw)
    .map(({ one }) => one);
}
