import type { Migration } from "./migration.ts";

/**
 * Charges that are removed with the generations of their month may be much later than these: a process that died is
 * recovered once another one starts.
 */
export const lateCharges: Migration = {
  name: "late charges",
  statements: ({ replaceRemovable }) =>
    replaceRemovable(
      "transfers",
      "OLD.kind = 'charge' AND EXISTS (SELECT 1 FROM archives WHERE state = 'removing' AND OLD.created_at >= from_at)",
    ),
};
