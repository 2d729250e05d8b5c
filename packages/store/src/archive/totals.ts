/** The sums over archived generations. Amounts are micro-USD. */
export interface ArchiveTotals {
  records: number;
  /** The costs of the records. */
  cost: number;
  /** The sum of the charges: the costs without corrections. */
  charged: number;
  /** The sum of the corrections, which are negative if they gave credit back. */
  corrected: number;
  refunded: number;
}

/** The sums over one account's archived generations. */
export interface AccountTotals extends ArchiveTotals {
  account: string;
}

export const nothing = (): ArchiveTotals => ({
  ...{ records: 0, cost: 0, charged: 0, corrected: 0, refunded: 0 },
});

const NAMES = Object.keys(nothing()) as (keyof ArchiveTotals)[];

export function add(to: ArchiveTotals, from: ArchiveTotals): void {
  for (const name of NAMES) to[name] += from[name];
}

/** The sums of all accounts. */
export function sumOf(accounts: Iterable<ArchiveTotals>): ArchiveTotals {
  const total = nothing();
  for (const one of accounts) add(total, one);
  return total;
}
