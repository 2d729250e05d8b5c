import { NO_USAGE, type Usage } from "./content/tokens.ts";
import type { MediaJob, MediaJobState } from "./media/media-jobs.ts";

/** Whether an answer reached its client: see `LedgerEntry.delivered`. */
export type Delivered = "complete" | "cut" | "failed";

/** The record of one exchange, with which tests compare what clients and services report. */
export interface LedgerEntry {
  /** The id that the answer has. */
  id: string;
  /** What was requested: `generate`, `count`, `embed`, `rerank`, `image` and so on. */
  operation: string;
  /** The wire on which it was requested. */
  protocol: string;
  /** The model as requested. */
  model: string;
  /** Whether a stream was requested. */
  stream: boolean;
  /** The parsed body. */
  request: unknown;
  /** Request path with its query. */
  path: string;
  /** The headers of the request, names in lower case. */
  headers: Record<string, string>;
  /** The usage that the vendor bills; zero when the exchange failed. */
  usage: Usage;
  /** The search units that the vendor bills instead of tokens, where that is so. */
  searchUnits?: number;
  /** The answer's text, whether or not it arrived. */
  text: string;
  /** The tools that were called, with arguments as JSON text. */
  calls: { name: string; args: string }[];
  /** `complete`: every byte was sent. `cut`: the connection ended early. `failed`: the answer was an error. */
  delivered: Delivered;
  /** The HTTP status of the answer. */
  status: number;
  /** The batch to which the request belongs, if any. */
  batch?: string;
}

/** The record of what was generated, whether or not the answers report it. */
export interface Ledger {
  /** All entries in order of arrival. */
  readonly entries: readonly LedgerEntry[];
  /** The entries whose fields equal those given. */
  query(match?: Partial<LedgerEntry>): LedgerEntry[];
  /** The last entry, if any. */
  last(): LedgerEntry | undefined;
  /** The sums over the entries that match. */
  totals(match?: Partial<LedgerEntry>): Usage & { requests: number };
  /** The media jobs whose fields equal those given, in order of arrival. Default: all. */
  mediaJobs(match?: Partial<MediaJob>): MediaJob[];
  /**
   * MediaJob that costs, or will, and that no client may know of: begun by a request whose answer did not arrive
   * whole, and never read nor downloaded since.
   */
  orphans(): MediaJob[];
  /** Removes all entries; media jobs stay. */
  clear(): void;
}

export interface WritableLedger extends Ledger {
  add(entry: LedgerEntry): LedgerEntry;
}

const COSTS: MediaJobState[] = ["queued", "running", "succeeded"];

function matching<Item extends object>(items: readonly Item[], match: Partial<Item>): Item[] {
  const wanted = Object.entries(match) as [keyof Item, unknown][];
  return items.filter((item) => wanted.every(([key, value]) => item[key] === value));
}

/** A ledger that keeps at most `capacity` entries, forgetting the oldest. */
export function createLedger(capacity: number, jobs: readonly MediaJob[] = []): WritableLedger {
  const entries: LedgerEntry[] = [];
  const query = (match: Partial<LedgerEntry> = {}): LedgerEntry[] => matching(entries, match);
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
    mediaJobs: (match = {}) => matching(jobs, match),
    orphans: () =>
      jobs.filter(
        ({ state, isDelivered, reads, outputs }) =>
          COSTS.includes(state) &&
          !isDelivered &&
          reads === 0 &&
          outputs.every(({ downloads }) => downloads === 0),
      ),
    clear: () => entries.splice(0),
  };
}
