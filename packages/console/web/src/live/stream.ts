import { follow, type StreamEvent } from "./follow.ts";

/** A request, or a job, or a change of a circuit, as far as it is known. */
export interface LiveRow {
  id: string;
  /** When it was first heard of. */
  at: string;
  state: string;
  /** The route of a request, the kind of a job, the entry of a circuit. */
  subject: string;
  attempts: number;
  model?: string;
  account?: string;
  provider?: string;
  firstByteMs?: number;
  ms?: number;
  usdCost?: number;
}

export interface Live {
  /** Newest first. */
  rows: readonly LiveRow[];
  /** Events that the service left out for this reader. */
  dropped: number;
  isOpen: boolean;
  /** Why the service refuses the stream. */
  reason?: string | undefined;
}

type Data = Record<string, unknown> & { at: string };

/** Rows that are kept; the oldest give way. */
const MOST = 200;
type Name = Exclude<StreamEvent["type"], "open" | "shut" | "gap">;

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const idOf = (name: Name, { request, job, entry, account = "", at }: Data): string =>
  name === "job"
    ? `job ${job}`
    : name === "circuit"
      ? `circuit ${entry} ${account} ${at}`
      : `request ${request}`;

const isKnown = (change: Record<string, unknown>): Partial<LiveRow> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** What an event says anew of its row. */
function changeOf(name: Name, row: LiveRow | undefined, data: Data): Partial<LiveRow> {
  const common = {
    account: textOf(data.account),
    provider: textOf(data.provider),
    model: textOf(data.model),
  };
  switch (name) {
    case "request":
      return isKnown({
        ...common,
        subject: textOf(data.route),
        ...(data.state === "started" && { state: "running" }),
        ...(data.state === "answering" && { firstByteMs: numberOf(data.ms) }),
        ...(data.state === "ended" && {
          ms: numberOf(data.ms),
          state: row?.state === "running" ? (Number(data.status) < 400 ? "succeeded" : "failed") : undefined,
        }),
      });
    case "attempt":
      return isKnown({ ...common, attempts: numberOf(data.attempt) });
    case "settled":
      return isKnown({ ...common, state: textOf(data.status), usdCost: numberOf(data.usdCost) });
    case "job":
      return isKnown({
        ...common,
        subject: `job: ${data.kind}`,
        state: textOf(data.state),
        ms: numberOf(data.durationMs),
        usdCost: numberOf(data.usdCost),
      });
    case "circuit":
      return isKnown({
        ...common,
        subject: `circuit of ${data.provider ?? data.entry}`,
        state: textOf(data.circuit),
      });
  }
}

/** The rows with what an event says; a row keeps its place while it fills. */
export function withEvent(rows: readonly LiveRow[], name: Name, data: Data): readonly LiveRow[] {
  const id = idOf(name, data);
  const known = rows.find((row) => row.id === id);
  const change = changeOf(name, known, data);
  if (known) return rows.map((row) => (row === known ? { ...row, ...change } : row));
  const row: LiveRow = { id, at: data.at, state: "running", subject: "–", attempts: 0, ...change };
  return [row, ...rows].slice(0, MOST);
}

/** Follows the events of the service; `onChange` is called at most once for each frame. Returns what ends it. */
export function listen(whose: "account" | "all", onChange: (live: Live) => void): () => void {
  let live: Live = { rows: [], dropped: 0, isOpen: false };
  let due: number | undefined;
  const change = (next: Partial<Live>): void => {
    live = { ...live, ...next };
    due ??= requestAnimationFrame(() => {
      due = undefined;
      onChange(live);
    });
  };
  const leave = follow(whose, (event) => {
    switch (event.type) {
      case "open":
        return change({ isOpen: true, reason: undefined });
      case "shut":
        return change({ isOpen: false, ...(event.reason !== undefined && { reason: event.reason }) });
      case "gap":
        return change({
          dropped: live.dropped + Number((JSON.parse(event.data) as Record<string, unknown>).left),
        });
      default:
        return change({ rows: withEvent(live.rows, event.type, JSON.parse(event.data) as Data) });
    }
  });
  return () => {
    leave();
    if (due !== undefined) cancelAnimationFrame(due);
  };
}
