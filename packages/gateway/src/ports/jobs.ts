import type { JsonObject } from "@manifold-gateway/core/codec";
import type {
  AssetBody,
  ImageAsk,
  ImagePreview,
  ImageResult,
  PartSource,
  SpeechAsk,
  SpeechMade,
  VideoAsk,
  VideoResult,
} from "@manifold-gateway/core/operations";
import type {
  Asset,
  AssetKind,
  Counts,
  JobEntry,
  JobError,
  JobFilter,
  JobKind,
  JobState,
  Price,
} from "@manifold-gateway/store";
import type { Caller } from "./access.ts";
import type { Labels } from "./context.ts";
import type { Attempt } from "./routing.ts";

/** The work of an order at another entry, with that entry's price. */
export interface Fallback extends Pick<Order, "entry" | "price" | "estimate" | "route"> {
  ask: ImageAsk | VideoAsk | SpeechAsk;
}

/** Ordered work: checked, adapted to its model and priced. */
export type Order = {
  /** The id of the generation and the job: lower-case letters, digits and dashes, at most 60. */
  id: string;
  caller: Pick<Caller, "accountId" | "keyId">;
  /** The model's name as the caller sent it. */
  model: string;
  entry: JobEntry;
  /** The price of the charge, whatever the catalog has later. */
  price: Price;
  /** The most that the work can use: the basis of the hold. */
  estimate: Counts;
  /** The request as the record may store it. */
  request: JsonObject;
  labels?: Labels;
  /** The name of the surface that received the request. */
  surface?: string;
  /** The route for the record. */
  route?: JsonObject;
  /** The entries to try next, in order, if the previous one has certainly not begun the work. */
  fallbacks?: readonly Fallback[];
  /** The entries that were skipped before it. */
  attempts?: readonly Attempt[];
  /** Stored unchanged for readers: `{ content }` of a video, `{ product, enableSubtitle }` of speech. */
  shown?: JsonObject;
  /** The caller gets the first failure: a passing one is not retried before the provider has the work. */
  direct?: true;
  /** Called with previews, if the adapter has some and this process does the job, which it does if a slot is free. */
  preview?(preview: ImagePreview): void;
} & (
  | { kind: "image"; ask: ImageAsk }
  | { kind: "video"; ask: VideoAsk }
  | { kind: "speech"; ask: SpeechAsk }
);

export interface Ref {
  id: string;
  accountId: string;
}

export interface Page {
  offset: number;
  limit: number;
}

/** Durable work, from the order to the files and the charge. */
export interface Jobs {
  /**
   * Holds credit and creates the job, in one commit. Throws a 403 if the balance does not cover it, a 429 if a cap or
   * the limit of running jobs is reached, and a 503 if its inputs cannot be stored. Assets in the request are kept as
   * long as the job may need them.
   */
  submit(order: Order): Promise<JobView>;
  /** Finds a job by its own or its provider's id; `undefined` if it is another account's. */
  get(ref: Ref): Promise<JobView | undefined>;
  /** Finds a job of any account by its own id. */
  find(id: string): Promise<JobView | undefined>;
  /** Lists jobs of any account, newest first, without their number. */
  newest(filter: JobFilter, limit: number): Promise<JobView[]>;
  /**
   * Lists jobs, newest first. `live` selects running or ended jobs. `after` selects the jobs after this one in the
   * list, and `total` then counts those.
   */
  list(filter: JobFilter & { accountId: string }, page: Page): Promise<{ results: JobView[]; total: number }>;
  /** Resolves to the job once its provider has accepted it or it has ended. Rejects with the signal's reason. */
  accepted(ref: Ref, signal?: AbortSignal): Promise<JobView>;
  /** Resolves to the job once it has ended. Rejects with the signal's reason; the job goes on. */
  finished(ref: Ref, signal?: AbortSignal): Promise<JobView>;
  /**
   * Cancels a job. If it was not sent to a provider, it ends as `cancelled`; otherwise a provider that supports it is
   * asked to cancel. Resolves to the present job, or `undefined` if it is another account's.
   */
  cancel(ref: Ref): Promise<JobView | undefined>;
  /** Deletes the files that a job made, but none that other work still needs. Its record stays. */
  removeFiles(ref: Ref): Promise<void>;
  /**
   * Starts checking an identity asset. Its state is `processing`, then `active` or `failed`. Free of charge. Throws a
   * 429 if too many assets of the account are being checked.
   */
  createAsset(order: { id: string; caller: Order["caller"]; body: AssetBody }): Promise<Asset>;
  /** Throws a 404 if the asset has expired. */
  asset(ref: Ref): Promise<Asset | undefined>;
  assets(
    filter: { accountId: string; kind?: AssetKind },
    page: Page,
  ): Promise<{ results: Asset[]; total: number }>;
  /** See `resolveAssets`. */
  resolve<Part extends MediaPart>(ask: {
    accountId: string;
    parts: readonly Part[];
    provider: string;
  }): Promise<ResolvedAssets<Part>>;
  /** Starts working on jobs. Without it, orders are accepted and other processes do the work. */
  start(): void;
  /** Looks for due jobs at once. Resolves when all of them have taken a step. */
  wake(): Promise<void>;
  /** Starts no further steps. Resolves when the running ones have ended. */
  drain(): Promise<void>;
  /** Drops the running steps, as a crash would: other processes, or the next start, continue them. */
  close(): Promise<void>;
}

/** A stored file of a job, with a link that downloads it for a limited time. */
export interface OutputLink {
  assetId: string;
  mediaType: string;
  /** The size in bytes. */
  size: number;
  /** The key in the object store, for answers that contain the bytes. */
  key: string;
  downloadUrl: string;
}

/** A job as routes read it. Each read creates new links. Times are milliseconds since the epoch. */
export interface JobView {
  /** The id of the job and of its generation. */
  id: string;
  kind: JobKind;
  accountId: string;
  /** Absent for a session. */
  keyId?: string;
  model: string;
  entry?: JobEntry;
  state: JobState;
  /** The provider's id of the work, once it accepted it. */
  taskId?: string;
  /** Members of the order that answers show. */
  shown: JsonObject;
  /** The result of a job that succeeded, by its kind, with `downloadUrl` and `assetId`. */
  image?: ImageResult;
  video?: VideoResult;
  speech?: SpeechMade;
  /** Empty once the files have expired. */
  outputs: OutputLink[];
  /** The files were removed at the end of their retention. */
  expired: boolean;
  /** The error of a job that failed or was cancelled. */
  error?: JobError;
  /** The outcome at the provider is unknown: the hold was released, but the work may have been done. */
  orphan: boolean;
  deadline: number;
  createdAt: number;
  updatedAt: number;
  endedAt?: number;
}

/** A part of a request that may name an asset. Parts of image requests have no type. */
export interface MediaPart {
  type?: string;
  /** JSON pointer into the caller's request: `/content/2`. */
  at: string;
  source?: PartSource;
}

/** An error about a part that names an asset. */
export interface AssetIssue {
  /** JSON pointer to the part. */
  path: string;
  message: string;
}

export type ResolvedAssets<Part> =
  | {
      ok: true;
      /**
       * The parts. An asset that is registered with the provider has its id there; the worker makes the others
       * accessible.
       */
      parts: Part[];
      /** The total duration of the videos, if all of them are assets with a known duration. */
      inputSeconds?: number;
    }
  | { ok: false; issues: AssetIssue[] };
