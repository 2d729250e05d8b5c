import { idAt } from "../engine/id-time.ts";
import { dayOf } from "../requests/pack.ts";

/**
 * Rows of a table that have a partition for each month, by a column of the primary key: lookups by the key read one
 * partition, and a month can be dropped. All other rows of the table are its rest. Bounds are SQL literals.
 */
export interface Series {
  /** The beginning of the partitions' names. */
  name: string;
  table: string;
  column: string;
  /** The least value of the column at a time in ms. */
  from(at: number): string;
  /** A value above those of all months. */
  end: string;
  /** The rows are only added. */
  isAppendOnly?: true;
}

/** The ids of all months begin with 0 as long as the time has one digit less: until the year 2527. */
const byId = (prefix: string) => ({
  column: "id",
  from: (at: number) => `'${prefix}${idAt(at)}'`,
  end: `'${prefix}1'`,
});

/** All series. Credit, refunds and corrections, which are few, stay in the rest of the ledger. */
export const SERIES: readonly Series[] = [
  { name: "generations", table: "generations", ...byId("") },
  { name: "charges", table: "transfers", ...byId("charge:"), isAppendOnly: true },
  { name: "batches", table: "transfers", ...byId("batch:"), isAppendOnly: true },
  {
    ...{ name: "contents", table: "contents", column: "day" },
    from: (at) => String(dayOf(at)),
    end: "1000000",
  },
];
