import { digest } from "../content/digest.ts";
import type { LedgerEntry } from "../ledger.ts";

/** The answer to one request of a batch. */
interface Answered {
  status: number;
  body: unknown;
  entry?: LedgerEntry | undefined;
}

/** Answers the request of a line as if it had been sent alone. */
export type RunLine = (request: { path: string; body: unknown; headers: Record<string, string> }) => Answered;

/** A request of a batch. */
export interface BatchedRequest {
  /** The client's id of it. */
  name: string;
  path: string;
  body: unknown;
}

type BatchState = "in_progress" | "completed" | "failed" | "expired" | "cancelled";

/** The record of one batch. */
export interface SimulatedBatch {
  id: string;
  /** The wire on which it was made. */
  protocol: string;
  state: BatchState;
  requests: BatchedRequest[];
  /** The answers so far, in the order of the requests. */
  answers: Answered[];
  /** The body of the request that created it. */
  request: Record<string, unknown>;
  /** Milliseconds since 1970. */
  created: number;
  headers: Record<string, string>;
  /** True once its client has removed it. */
  isRemoved: boolean;
}

/** A file that the vendor keeps. */
interface StoredFile {
  id: string;
  name: string;
  /** Milliseconds since 1970. */
  created: number;
}

/** A file that a client uploaded. */
interface UploadedFile extends StoredFile {
  text: string;
}

/** The ids of an ended batch's files: the answers, and the requests without one. */
export function resultFilesOf({ id, state, answers, requests }: SimulatedBatch) {
  const hasEnded = state !== "in_progress" && state !== "failed";
  const failed = answers.filter(({ status }) => status !== 200).length;
  const hasErrors = hasEnded && (failed > 0 || answers.length < requests.length);
  return {
    ...(hasEnded && answers.length > failed && { output: `${id}-output` }),
    ...(hasErrors && { errors: `${id}-errors` }),
  };
}

/** The batches of a vendor, and the files of their requests. */
export interface SimulatedBatches {
  /** All of them, the oldest first, removed ones as well. */
  readonly all: readonly SimulatedBatch[];
  /** The requests of a batch that are run each time that its state is read. Default: all. */
  pace: number;
  /** The files that it keeps, newest first: those of requests, and of results. */
  readonly files: readonly StoredFile[];
  keep(file: Omit<UploadedFile, "id">): UploadedFile;
  file(id: string): UploadedFile | undefined;
  /** Removes a file. False if there is none. */
  remove(id: string): boolean;
  begin(
    batch: Pick<SimulatedBatch, "protocol" | "requests" | "request" | "created" | "headers">,
  ): SimulatedBatch;
  find(id: string): SimulatedBatch | undefined;
  /** Reads the state of a batch. Batches advance by reads, not by time. */
  read(batch: SimulatedBatch, now: number): SimulatedBatch;
  cancel(batch: SimulatedBatch): void;
  clear(): void;
}

const DAY = 24 * 3_600_000;
/** Models with this in their name have no batches. */
const ALONE = "-alone";

const modelOf = ({ body }: BatchedRequest): string =>
  String((body as Record<string, unknown> | null)?.model ?? "");

export function createBatches(run: RunLine): SimulatedBatches {
  const files = new Map<string, UploadedFile>();
  const removed = new Set<string>();
  const all: SimulatedBatch[] = [];
  let made = 0;
  const idOf = (kind: string): string => digest(kind, String(made++)).slice(0, 24);
  const batches: SimulatedBatches = {
    all,
    pace: Number.POSITIVE_INFINITY,
    get files() {
      const results = all
        .filter(({ request }) => request.input_file_id !== undefined)
        .flatMap((batch) =>
          Object.values(resultFilesOf(batch)).map((id) => ({ id, name: id, created: batch.created })),
        );
      return [...files.values(), ...results]
        .filter(({ id }) => !removed.has(id))
        .sort((a, b) => b.created - a.created);
    },
    keep(upload) {
      const file = { ...upload, id: `file-${idOf("file")}` };
      files.set(file.id, file);
      return file;
    },
    file: (id) => (removed.has(id) ? undefined : files.get(id)),
    remove(id) {
      if (!batches.files.some((file) => file.id === id)) return false;
      removed.add(id);
      return true;
    },
    begin(begun) {
      const batch: SimulatedBatch = {
        ...begun,
        id: `batch_${idOf("batch")}`,
        state: "in_progress",
        answers: [],
        isRemoved: false,
      };
      if (batch.requests.some((request) => modelOf(request).includes(ALONE))) batch.state = "failed";
      all.push(batch);
      return batch;
    },
    find: (id) => all.find((batch) => batch.id === id && !batch.isRemoved),
    read(batch, now) {
      if (batch.state !== "in_progress") return batch;
      if (now - batch.created >= DAY) batch.state = "expired";
      else {
        const { length } = batch.answers;
        for (const { path, body } of batch.requests.slice(length, length + batches.pace)) {
          const answered = run({ path, body, headers: batch.headers });
          if (answered.entry) Object.assign(answered.entry, { batch: batch.id, delivered: "complete" });
          batch.answers.push(answered);
        }
        if (batch.answers.length === batch.requests.length) batch.state = "completed";
      }
      return batch;
    },
    cancel(batch) {
      if (batch.state === "in_progress") batch.state = "cancelled";
    },
    clear() {
      files.clear();
      removed.clear();
      all.splice(0);
      batches.pace = Number.POSITIVE_INFINITY;
    },
  };
  return batches;
}
