import { NO_USAGE, type Usage } from "./tokens.ts";

export type Delivered = "complete" | "cut" | "failed";

/** The truth about one exchange, to hold against what others say about it. */
export interface LedgerEntry {
  id: string;
  operation: string;
  protocol: string;
  model: string;
  stream: boolean;
  /** The parsed body. */
  request: unknown;
  /** Request path with its query. */
  path: string;
  headers: Record<string, string>;
  /** What the vendor bills; zero when the exchange failed. */
  usage: Usage;
  /** The answer's text and calls, whether or not they arrived. */
  text: string;
  calls: { name: string; args: string }[];
  /** `complete`: every byte was handed over. `cut`: the connection ended early. `failed`: an error was answered. */
  delivered: Delivered;
  status: number;
}

export interface Ledger {
  /** All entries in order of arrival. */
  readonly entries: readonly LedgerEntry[];
  /** The entries whose fields equal those given. */
  query(match?: Partial<LedgerEntry>): LedgerEntry[];
  /** The last entry, if any. */
  last(): LedgerEntry | undefined;
  /** The sums over the entries that match. */
  totals(match?: Partial<LedgerEntry>): Usage & { requests: number };
  clear(): void;
}

export interface WritableLedger extends Ledger {
  add(entry: LedgerEntry): LedgerEntry;
}

/** A ledger that keeps at most `capacity` entries, forgetting the oldest. */
export function createLedger(capacity: number): WritableLedger {
  const entries: LedgerEntry[] = [];
  const query = (match: Partial<LedgerEntry> = {}): LedgerEntry[] =>
    entries.filter((entry) =>
      Object.entries(match).every(([key, value]) => entry[key as keyof LedgerEntry] === value),
    );
  return {
    entries,
    query,
    last: () => entries.at(-1),
    totals(match) {
      const totals = { ...NO_USAGE, requests: 0 };
      for (const { usage } of query(match)) {
        totals.requests += 1;
        for (const key of Object.keys(usage) as (keyof Usage)[]) totals[key] += usage[key];
      }
      return totals;
    },
    add(entry) {
      if (entries.length >= capacity) entries.shift();
      entries.push(entry);
      return entry;
    },
    clear: () => entries.splice(0),
  };
}
