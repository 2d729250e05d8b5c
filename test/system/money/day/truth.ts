import type { LedgerEntry, Simulator } from "@manifold-gateway/simulator";
import type { Database } from "../../../store/databases/database.ts";
import type { Json } from "../../../support/caller.ts";
import { modelNamed } from "./models.ts";

type MediaJob = ReturnType<Simulator["ledger"]["mediaJobs"]>[number];

/** What a provider did for the requests of one mark. */
export interface Truth {
  entries: LedgerEntry[];
  mediaJobs: MediaJob[];
}

/** What the database knows of one generation. */
export interface Row {
  id: string;
  status: string;
  cost: number;
  held: number;
  usage: Json;
  route: Json;
  model: string;
}

const MARK = /(?:mark|same)-\d+-(?:l\d+-)?/;
/** A file has it in its name, since not every model takes a prompt; its bytes are many. */
const markIn = (request: unknown): string | undefined => {
  const { file, ...said } = Object(request) as { file?: readonly { name: string }[] };
  return MARK.exec(JSON.stringify([said, file?.[0]?.name]))?.[0];
};

/** By the marks of requests. */
export function truthsOf({ ledger }: Pick<Simulator, "ledger">): Map<string, Truth> {
  const truths = new Map<string, Truth>();
  const at = (request: unknown): Truth | undefined => {
    const mark = markIn(request);
    if (mark === undefined) return undefined;
    const truth = truths.get(mark) ?? { entries: [], mediaJobs: [] };
    truths.set(mark, truth);
    return truth;
  };
  for (const entry of ledger.entries) at(entry.request)?.entries.push(entry);
  for (const job of ledger.mediaJobs()) at(job.request)?.mediaJobs.push(job);
  return truths;
}

/** By the marks of requests, which their records have as a tag; of lines with the line's number, from 0. */
export async function recordsOf(database: Database): Promise<Map<string, Row[]>> {
  const rows = await database.execute(
    "SELECT id, status, cost, held + leased AS held, usage, route, model, tags FROM generations ORDER BY created_at, id",
  );
  const records = new Map<string, Row[]>();
  for (const { usage, route, tags, ...row } of rows) {
    const read: Row = {
      ...{ id: String(row.id), status: String(row.status), cost: Number(row.cost), held: Number(row.held) },
      ...{ usage: jsonOf(usage), route: jsonOf(route), model: String(row.model) },
    };
    const [, line] = /batch_[^/]+\/(\d+)$/.exec(read.route.requestId ?? "") ?? [];
    const mark = `${jsonOf(tags).mark}${line === undefined ? "" : `l${Number(line) - 1}-`}`;
    records.set(mark, [...(records.get(mark) ?? []), read]);
  }
  return records;
}

const jsonOf = (value: unknown): Json => (typeof value === "string" ? JSON.parse(value) : (value ?? {}));

export const isServed = ({ delivered }: LedgerEntry): boolean => delivered !== "failed";

/** What each exchange that was served has to cost, or the job that it began where its price counts that. */
export function costsOf({ entries, mediaJobs }: Truth): number[] {
  const exchanges = entries.filter(isServed).flatMap((entry) => {
    const cost = modelNamed(entry.model)?.cost;
    return cost?.of === "exchange" ? [cost.micro(entry)] : [];
  });
  const made = mediaJobs.flatMap((job) => {
    const cost = modelNamed(job.model)?.cost;
    return cost?.of === "work" && job.state === "succeeded" ? [cost.micro(job)] : [];
  });
  return [...exchanges, ...made];
}

/** True for the price of a recording's own length, which counts where its provider does not say one. */
export const isMeasured = ({ mediaJobs }: Truth, cost: number): boolean =>
  mediaJobs.some(({ model, billed }) => modelNamed(model)?.measured?.(cost, billed));

/** True if nothing that the price counts was reported, or nothing that can be. */
export const isUnreported = ({ entries, mediaJobs }: Truth): boolean =>
  [...entries, ...mediaJobs].some(({ model }) => modelNamed(model)?.estimated === true);
