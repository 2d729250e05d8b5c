import { type Counts, costOf, type Price, type Recovery } from "@manifold/store";

/**
 * What is charged for a generation whose process died: what it was last known to have used, at its own price.
 * Without a checkpoint nothing is known of it, and nothing is charged.
 */
export const chargeForCheckpoint: Recovery["chargeFor"] = ({ checkpoint, price }) =>
  checkpoint && price ? { cost: costOf(checkpoint as Counts, price as Price), usage: checkpoint } : undefined;
